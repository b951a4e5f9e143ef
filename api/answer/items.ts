/** Items of responses, made by their contract, which alone decides the fields and their order. */

import type { z } from 'zod'
import { memoise } from '../../schemas/memoise.ts'

/** A shape whose fields are all read-only, because responses may share their lists. */
export type DeepReadonly<Shape> = Shape extends object
  ? { readonly [Member in keyof Shape]: DeepReadonly<Shape[Member]> }
  : Shape

/** The name of a field in our rows: `eventId` for `event_id`. */
type RowName<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<RowName<Tail>>}`
  : Name

type RowValue<Row, Name> = Name extends keyof Row
  ? Row[Name]
  : RowName<Name> extends keyof Row
    ? Row[RowName<Name>]
    : undefined

/** The fields of an item that its row lacks, or has as another type. */
type Others<Item, Row> = {
  readonly [Name in keyof Item as RowValue<Row, Name> extends Item[Name] ? never : Name]: Item[Name]
}

const rowName = memoise((name) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
)

/**
 * Returns an item with the fields of its contract, each from `own`, else from the row's field of the same name:
 * `event_id`, or `eventId`. Further fields of the row are left out.
 */
export function itemOfRow<Contract extends z.ZodObject, Row extends object>(
  { shape }: Contract,
  row: Row,
  own: Others<DeepReadonly<z.output<Contract>>, Row> & Partial<DeepReadonly<z.output<Contract>>>,
): DeepReadonly<z.output<Contract>> {
  const item: Record<string, unknown> = {}
  for (const name in shape) {
    item[name] =
      name in own ? own[name as never] : row[(name in row ? name : rowName(name)) as never]
  }
  return item as never
}
