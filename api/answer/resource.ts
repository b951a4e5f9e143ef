/**
 * Resources: a list or an object that a route reads from the views. A resource gives its data, and a version that
 * changes with them. This file adds the paging and the JSON around the data; `reads.ts` caches the responses.
 */

import type { z } from 'zod'
import { appendText } from '../../pipeline/text/page-buffer.ts'
import type { QueryShape } from '../../schemas/http/query.ts'
import {
  type Described,
  type Prepared,
  type ReadContext,
  type ReadRoute,
  readRoute,
} from '../route.ts'
import type { DeepReadonly } from './items.ts'
import { type ListMeta, listBody, objectBody } from './json.ts'
import { listPage, type PageQuery } from './list-page.ts'

interface Resource<Shape extends QueryShape, Contract extends z.ZodType>
  extends Omit<ReadRoute<Shape>, 'kind' | 'method' | 'answer' | 'prepare'> {
  readonly answer: Described & { readonly schema: Contract }
}

/** The version of a response, and the work to do before it. */
type Versioned = Pick<Prepared, 'version' | 'ahead'>

export interface ListNow<Row> extends Pick<ListMeta, 'meta' | 'last'> {
  /** All matching rows, sorted. */
  readonly rows: readonly Row[]
  /** When the data last changed (epoch ms); 0 for never. */
  updatedAt(shown: readonly Row[]): number
}

export interface ListRead<Row, Item> extends Versioned {
  /** @throws ApiError */
  now(): ListNow<Row>
  show(row: Row): Item
}

type DataOf<Contract extends z.ZodType> =
  z.output<Contract> extends { readonly data: infer Data extends object }
    ? DeepReadonly<Data>
    : never

type ItemOf<Contract extends z.ZodType> =
  DataOf<Contract> extends readonly (infer Item extends object)[] ? Item : never

/** Declares a list that is read in pages. */
export function listResource<
  Shape extends QueryShape,
  Contract extends z.ZodType<{ readonly data: readonly object[] }>,
  Row,
>({
  maxOffset,
  read,
  ...route
}: Resource<Shape, Contract> & {
  /** The greatest offset that a query may have; absent if no list is longer. */
  readonly maxOffset?: number
  /** @throws ApiError for an invalid request */
  read(context: ReadContext<Shape>): ListRead<Row, ItemOf<Contract>>
}): ReadRoute {
  return readRoute<Shape>({
    ...route,
    prepare(context) {
      const { now, show, ...versioned } = read(context)
      return {
        ...versioned,
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

export interface ObjectRead<Data> extends Versioned {
  /** @throws ApiError */
  now(): {
    readonly data: Data
    /** When the data last changed (epoch ms); 0 for never. */
    readonly updatedAt: number
    readonly meta?: Readonly<Record<string, unknown>>
    /** When the response changes although the data do not (epoch ms). */
    readonly expiresAt?: number
  }
}

/** Declares a route that returns one object. */
export function objectResource<
  Shape extends QueryShape,
  Contract extends z.ZodType<{ readonly data: object }>,
>({
  read,
  ...route
}: Resource<Shape, Contract> & {
  /** @throws ApiError for an invalid request */
  read(context: ReadContext<Shape>): ObjectRead<DataOf<Contract>>
}): ReadRoute {
  return readRoute<Shape>({
    ...route,
    prepare(context) {
      const { now, ...versioned } = read(context)
      return {
        ...versioned,
        write(page) {
          const { data, updatedAt, meta, expiresAt } = now()
          appendText(page, JSON.stringify(objectBody(data, updatedAt, meta)))
          return expiresAt === undefined ? {} : { expiresAt }
        },
      }
    },
  })
}
