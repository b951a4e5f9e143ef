/** A page that stays open while the service is restarted with other settings. */

import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { isOutdated, servedWith } from '../../api/web/client/data/served-page.ts'

const page = (settings: object, script = '/assets/main-1A.js') =>
  `<!doctype html><head><meta name="overround" content="${JSON.stringify(settings)
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')}">
<script type="module" src="${script}"></script>`

it('other settings or another build ask for a reload, and a page of a proxy does not', () => {
  const shown = servedWith(page({ isSimulated: true, sharpBook: 'a&b' }))!
  expect(shown).toBe('{"isSimulated":true,"sharpBook":"a&b"} /assets/main-1A.js')
  expect(isOutdated(shown, page({ isSimulated: true, sharpBook: 'a&b' }))).toBe(false)
  expect(isOutdated(shown, page({ isSimulated: false, sharpBook: 'a&b' }))).toBe(true)
  expect(
    isOutdated(shown, page({ isSimulated: true, sharpBook: 'a&b' }, '/assets/main-2B.js')),
  ).toBe(true)
  expect(isOutdated(shown, '<html>Sign in to the network</html>')).toBe(false)
})

it('the template of the pages is read', async () => {
  const template = new URL('../../api/web/client/index.html', import.meta.url)
  expect(servedWith(await readFile(template, 'utf8'))).toBe('{{settings}} {{script}}')
})
