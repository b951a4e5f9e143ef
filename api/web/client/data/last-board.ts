/** The last address of the board, with its league, market and order. */

interface Place {
  readonly pathname: string
  readonly search: string
}

export interface LastBoard {
  address(): string
  /** Notes where the reader is now. */
  note(place: Place): void
}

/** @param first where the pages were opened */
export function createLastBoard(first: Place): LastBoard {
  let address = '/'
  const note = ({ pathname, search }: Place) => {
    if (pathname === '/') address = `/${search}`
  }
  note(first)
  return { address: () => address, note }
}
