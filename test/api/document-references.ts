/** References within an OpenAPI document. */

// biome-ignore lint/suspicious/noExplicitAny: a document is walked by paths that only it knows
type Json = any

/** Returns the node, or what it refers to in the document. */
export const resolvedIn = (document: Json, node: Json): Json =>
  node?.$ref === undefined
    ? node
    : resolvedIn(
        document,
        node.$ref
          .slice(2)
          .split('/')
          .reduce((at: Json, name: string) => at[name], document),
      )
