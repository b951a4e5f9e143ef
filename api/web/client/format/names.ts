/** Names for people: answers, markets, leagues, and why a price is withheld. */

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

/** `England - Premier League` is `Premier League`; a short one stays. */
export const leagueText = (name: string) => name.split(' - ').at(-1)!

const withheldWords: Readonly<Record<string, string>> = {
  far_from_consensus: 'too far from the prices of the others',
  market_mismatch: 'its prices answer another question than those of the others',
  books_disagree: 'the sportsbooks stand in two camps',
  swapped: 'its sides are the other way round',
}

/** Why the service holds a price to be no offer; empty for one that stands. */
export const withheldText = (reason: string | null) =>
  reason === null ? '' : `Withheld: ${withheldWords[reason] ?? reason}`
