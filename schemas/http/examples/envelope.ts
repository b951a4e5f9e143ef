/** Whole answers around the data of an example, as `listOf` and `objectOf` have them. */

const examplePagination = {
  limit: 50,
  offset: 0,
  count: 1,
  total: 1,
  has_more: false,
  next_offset: null,
}

/** When the data of the examples last changed. */
export const seenAt = '2027-01-14T21:03:11.204Z'

/** A list with one item, as `listOf` has it. @param meta further members of `meta` */
export const exampleList = (item: object, meta: object = {}) => ({
  success: true,
  data: [item],
  pagination: examplePagination,
  updated_at: seenAt,
  meta: {
    count: 1,
    total: 1,
    ...meta,
    pagination: examplePagination,
    updated_at: seenAt,
    updated: seenAt,
  },
})

/** One object, as `objectOf` has it. */
export const exampleObject = (data: object, meta: object = {}) => ({
  success: true,
  data,
  updated_at: seenAt,
  meta: { ...meta, updated_at: seenAt, updated: seenAt },
})
