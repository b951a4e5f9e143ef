/**
 * Resources: a list, or one object, that a route reads of the views. A resource says what it shows and when that may
 * be another; its pages, the JSON around it and its place in the store of answers follow.
 */

import type { z } from 'zod'
import { appendText } from '../../pipeline/text/page-buffer.ts'
import type { QueryShape } from '../../schemas/http/query.ts'
import { type Prepared, type ReadContext, type ReadRoute, readRoute } from '../route.ts'
import { type ListMeta, listBody, objectBody } from './json.ts'
import { listPage, type PageQuery } from './list-page.ts'

interface Resource<Shape extends QueryShape, Contract extends z.ZodType>
  extends Omit<ReadRoute<Shape>, 'kind' | 'method' | 'answers' | 'prepare'> {
  /** The answer in a sentence. */
  readonly answer: string
  readonly contract: Contract
}

/** When an answer may be another. */
type Stands = Pick<Prepared, 'version' | 'ahead'>

export interface ListNow<Row> extends Pick<ListMeta, 'meta' | 'last'> {
  /** All that the request names, in order. */
  readonly rows: readonly Row[]
  /** When the data last changed (epoch ms); 0 for never. */
  updatedAt(shown: readonly Row[]): number
}

export interface ListRead<Row, Item> extends Stands {
  /** @throws ApiError */
  now(): ListNow<Row>
  show(row: Row): Item
}

/** A shape as it is made: nobody writes to it, and lists may be others'. */
type Made<Shape> = Shape extends object
  ? { readonly [Member in keyof Shape]: Made<Shape[Member]> }
  : Shape

type DataOf<Contract extends z.ZodType> =
  z.output<Contract> extends { readonly data: infer Data extends object } ? Made<Data> : never

type ItemOf<Contract extends z.ZodType> =
  DataOf<Contract> extends readonly (infer Item extends object)[] ? Item : never

/** A list of which a request gets a page. */
export function listResource<
  Shape extends QueryShape,
  Contract extends z.ZodType<{ readonly data: readonly object[] }>,
  Row,
>({
  answer,
  contract,
  maxOffset,
  read,
  ...route
}: Resource<Shape, Contract> & {
  /** The greatest offset that the query takes, where a list may be longer. */
  readonly maxOffset?: number
  /** @throws ApiError for what cannot be asked */
  read(context: ReadContext<Shape>): ListRead<Row, ItemOf<Contract>>
}): ReadRoute {
  return readRoute<Shape>({
    ...route,
    answers: { 200: { description: answer, schema: contract } },
    prepare(context) {
      const { now, show, ...stands } = read(context)
      return {
        ...stands,
        write(page) {
          const { rows, updatedAt, ...around } = now()
          const query = context.query as unknown as PageQuery
          const { data, pagination } = listPage(rows, query, maxOffset)
          const list = { ...around, pagination, updatedAt: updatedAt(data) }
          appendText(page, listBody(data.map(show), list))
          return {}
        },
      }
    },
  })
}

export interface ObjectRead<Data> extends Stands {
  /** @throws ApiError */
  now(): {
    readonly data: Data
    /** When the data last changed (epoch ms); 0 for never. */
    readonly updatedAt: number
    readonly meta?: Readonly<Record<string, unknown>>
    /** When the answer would change by the clock alone (epoch ms). */
    readonly expiresAt?: number
  }
}

/** One object. */
export function objectResource<
  Shape extends QueryShape,
  Contract extends z.ZodType<{ readonly data: object }>,
>({
  answer,
  contract,
  read,
  ...route
}: Resource<Shape, Contract> & {
  /** @throws ApiError for what cannot be asked */
  read(context: ReadContext<Shape>): ObjectRead<DataOf<Contract>>
}): ReadRoute {
  return readRoute<Shape>({
    ...route,
    answers: { 200: { description: answer, schema: contract } },
    prepare(context) {
      const { now, ...stands } = read(context)
      return {
        ...stands,
        write(page) {
          const { data, updatedAt, meta, expiresAt } = now()
          appendText(page, JSON.stringify(objectBody(data, updatedAt, meta)))
          return expiresAt === undefined ? {} : { expiresAt }
        },
      }
    },
  })
}
