/** Reads long lists, which the service returns page by page. */

import type { Page } from '../../wire.ts'

/** Most items of a page. */
export const pageItems = 200

/** A page in the API's form, of a list that states its length. */
export interface CountedPage<Item> {
  readonly data: readonly Item[]
  readonly pagination: { readonly total: number }
}

/** A page of a list that is read by offsets. */
export interface OffsetPage<Item> {
  readonly items: readonly Item[]
  /** Items of the whole list. */
  readonly total: number
}

/** Converts a page from the API's form. */
export const offsetPageOf = <Item>({ data, pagination }: CountedPage<Item>): OffsetPage<Item> => ({
  items: data,
  total: pagination.total,
})

/**
 * Reads a list from its beginning.
 * @param read reads the page at an offset, of up to `pageItems`
 * @param idOf identifies an item; one that moves to the next page meanwhile is listed once
 * @param most stops once so many are read. Default: reads all
 * @returns also the length of the list, as the last page states it
 */
export async function readPages<Item>(
  read: (offset: number) => Promise<OffsetPage<Item>>,
  idOf: (item: Item) => string,
  most = Number.POSITIVE_INFINITY,
): Promise<OffsetPage<Item>> {
  const byId = new Map<string, Item>()
  for (let offset = 0; ; ) {
    const { items, total } = await read(offset)
    for (const item of items) byId.set(idOf(item), item)
    offset += items.length
    if (items.length === 0 || offset >= Math.min(most, total)) {
      return { items: [...byId.values()], total }
    }
  }
}

/** Reads a list, whose items stay in their places meanwhile, to its end. @param read reads the page at an offset */
export async function everyItem<Item>(
  read: (offset: number) => Promise<Page<Item>>,
): Promise<readonly Item[]> {
  const all: Item[] = []
  for (;;) {
    const { data, pagination } = await read(all.length)
    all.push(...data)
    if (!pagination.has_more) return all
  }
}

/**
 * Reads a list page by page, by cursors.
 * @param read reads the page that the end of the query names; '' names the first
 */
export async function* cursorPages<Item>(
  read: (cursor: string) => Promise<Page<Item>>,
): AsyncGenerator<readonly Item[]> {
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Page<Item> = await read(cursor)
    yield page.data
    cursor = cursorAfter(page)
  }
}

/**
 * Reads the beginning of a list by cursors.
 * @param read as of `cursorPages`
 * @param mostPages at least 1
 * @returns also whether that is the whole list
 */
export async function firstPages<Item>(
  read: (cursor: string) => Promise<Page<Item>>,
  mostPages: number,
): Promise<{ readonly items: readonly Item[]; readonly isAll: boolean }> {
  const items: Item[] = []
  let cursor: string | null = ''
  for (let pages = 0; cursor !== null && pages < mostPages; pages++) {
    const page: Page<Item> = await read(cursor)
    items.push(...page.data)
    cursor = cursorAfter(page)
  }
  return { items, isAll: cursor === null }
}

/** Returns the end of the query for the next page; null after the last. */
const cursorAfter = ({ pagination: { has_more, next_cursor } }: Page<unknown>): string | null =>
  has_more && next_cursor ? `&cursor=${encodeURIComponent(next_cursor)}` : null
