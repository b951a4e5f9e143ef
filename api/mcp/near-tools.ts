/** Suggests tools for a name that a model made up. */

import { distance } from 'fastest-levenshtein'

/** Longer texts are not treated as names. */
const longest = 60
const mostNamed = 3

/**
 * Returns the nearest tools, in the order of the tools. Verbs and separators are ignored, and one letter in five may
 * differ. Returns none if no tool is near, or too many are.
 */
export function nearTools(name: string, tools: readonly string[]): readonly string[] {
  if (name.length > longest) return []
  const subject = subjectOf(name)
  const farthest = Math.max(1, Math.floor(subject.length / 5))
  const far = tools.map((tool) => distance(subject, subjectOf(tool)))
  const least = Math.min(...far)
  // Almost any short name is one error away from one or two letters.
  if (subject.length < 3 || least > farthest) return []
  const nearest = tools.filter((_, i) => far[i] === least)
  return nearest.length > mostNamed ? [] : nearest
}

const verb = /^(get|list|fetch|read|find|search|show|query|compare)(?=[^a-z]|[A-Z])[^a-zA-Z]*/

/** Returns the subject of a name: that of `getBestOdds`, `best-odds` and `get_best_odds` is the same. */
const subjectOf = (name: string) =>
  name
    .replace(verb, '')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
