/** US states and territories for which sportsbooks have their own addresses, as two letters. */
export const usStates =
  'al ak az ar ca co ct de dc fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm ny nc nd oh ok or pa pr ri sc sd tn tx ut vt va wa wv wi wy'.split(
    ' ',
  )
