/** The tools that a model may have meant by a name of its own making. */

import { distance } from 'fastest-levenshtein'

/** A longer text is no name. */
const longest = 60
const mostNamed = 3

/**
 * Those whose name is the same but for its verb, its marks and slips of a letter in five; the nearest
 * alone, in the order of the tools. None for a name that is near nothing, or to too many.
 */
export function nearTools(name: string, tools: readonly string[]): readonly string[] {
  if (name.length > longest) return []
  const subject = subjectOf(name)
  const farthest = Math.max(1, Math.floor(subject.length / 5))
  const far = tools.map((tool) => distance(subject, subjectOf(tool)))
  const least = Math.min(...far)
  // Of a letter or two, everything short is a slip away.
  if (subject.length < 3 || least > farthest) return []
  const nearest = tools.filter((_, i) => far[i] === least)
  return nearest.length > mostNamed ? [] : nearest
}

const verb = /^(get|list|fetch|read|find|search|show|query|compare)(?=[^a-z]|[A-Z])[^a-zA-Z]*/

/** What a tool is about: `getBestOdds`, `best-odds` and `get_best_odds` are about the same. */
const subjectOf = (name: string) =>
  name
    .replace(verb, '')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
