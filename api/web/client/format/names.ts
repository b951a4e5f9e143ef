/** Names for people: answers, markets, leagues. */

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
