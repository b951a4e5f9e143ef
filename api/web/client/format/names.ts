/** Display names of answers, markets and leagues, and the reasons why prices are withheld. */

export function answerText(answer: string, homeTeam: string, awayTeam: string): string {
  if (answer === 'home') return homeTeam
  if (answer === 'away') return awayTeam
  return answer.charAt(0).toUpperCase() + answer.slice(1)
}

/** `player_passing_yards` is `Player passing yards`. */
export function marketText(market: string): string {
  const text = market.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `England - Premier League` is `Premier League`; a short name stays as it is. */
export const leagueText = (name: string) => name.split(' - ').at(-1)!

const withheldWords: Readonly<Record<string, string>> = {
  far_from_consensus: 'too far from the other sportsbooks',
  market_mismatch: 'its prices seem to be for another market',
  books_disagree: 'the sportsbooks disagree with each other',
  swapped: 'its two sides seem to be swapped',
  reference: 'a reference that measures others, not a bet',
}

/** Why the service treats a price as no offer; empty for a price that counts. */
export const withheldText = (reason: string | null) =>
  reason === null ? '' : `Withheld: ${withheldWords[reason] ?? reason}`
