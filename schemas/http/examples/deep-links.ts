/** Examples of the documents: what the routes of deep links are sent and answer. */

import type { z } from 'zod'
import type { deepLinkBatchBody } from '../deep-links.ts'

const updated = '2027-01-14T21:03:10.000Z'
const opportunity = 'b04d5f1182e9c37a'
const price = '482107733919990'
const address = 'https://sportsbook.draftkings.com/event/34118820?outcomes=0OU22850O'

export const exampleDeepLinks = {
  success: true,
  data: {
    id: opportunity,
    deep_links: { draftkings: address },
    redirect: `/api/v1/deeplink/${opportunity}-5f0c1a9be271`,
  },
  updated_at: updated,
  meta: { updated_at: updated, updated },
}

export const exampleDeepLinkBatchBody: z.input<typeof deepLinkBatchBody> = {
  ids: [opportunity, price],
  state: 'nj',
}

export const exampleDeepLinkBatch = {
  success: true,
  data: { [opportunity]: { draftkings: address }, [price]: `/api/v1/deeplink/${price}?state=nj` },
  updated_at: updated,
  meta: { count: 2, found: 2, updated_at: updated, updated },
}
