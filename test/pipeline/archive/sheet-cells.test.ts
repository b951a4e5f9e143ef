import { afterAll, beforeAll, expect, it } from 'vitest'
import { cell, sheetParameters } from '../../../pipeline/archive/sheet-cells.ts'
import { guarded } from '../../../pipeline/text/formula-text.ts'
import { type EngineArchive, startEngineArchive } from './engine-archive.ts'

const limits = { seconds: 30, resultRows: 1e6, readRows: 1e8, memoryBytes: 1e9 }
const texts =
  "=1+1|+1|-1|@A1|\t=1|\r=1|\n=1|＝1+1|＋1|－1|＠A1|'=1|''＝1|\"q\"|a,b|Bär|ー1|ＡＢ|\\t|^|".split(
    '|',
  )

let engine: EngineArchive
beforeAll(async () => {
  engine = await startEngineArchive()
})
afterAll(() => engine.close())

it('of a sheet are guarded as in our own sheets, of other files they are unchanged', async () => {
  const ask = async (isSheet: boolean) => {
    const rows = await engine.archive.query<{ shown: string | null }>(
      `SELECT ${cell('text', 'shown')} FROM (
        SELECT arrayJoin(arrayConcat({texts:Array(String)}, [NULL])) AS text
      )`,
      { ...sheetParameters(isSheet), texts },
      limits,
    )
    return rows.map(({ shown }) => shown)
  }
  expect(await ask(true)).toEqual([...texts.map(guarded), null])
  expect(await ask(false)).toEqual([...texts, null])
})
