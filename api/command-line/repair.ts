/** The command `overround repair`: rebuilds a damaged embedded log so that the service can start. */

import { BackupError } from '../../pipeline/backup/backup-file.ts'
import { repairDirectory } from '../../pipeline/backup/repair.ts'
import { LogCorruptError, LogFullError, LogLockedError } from '../../pipeline/log/log.ts'
import { CommandError } from './exit-codes.ts'
import { type Style, tableOf } from './terminal.ts'

type Repair = Awaited<ReturnType<typeof repairDirectory>>

const expectedErrors = [BackupError, LogCorruptError, LogFullError, LogLockedError]

/** @throws CommandError */
export async function runRepair(dataDir: string): Promise<Repair> {
  return repairDirectory(dataDir).catch((error: Error) => {
    const isExpected =
      expectedErrors.some((kind) => error instanceof kind) || (error as NodeJS.ErrnoException).code
    throw isExpected ? new CommandError(error.message) : error
  })
}

const shownDamage = 20

export function repairTable(repair: Repair, style: Style): string {
  const { damagedAt, damage, losses, namelessRecords, orphans, kept } = repair
  const leftOut =
    orphans > 0
      ? [`${orphans} rows of the board were left out: rows that they depend on are lost.`]
      : []
  if (damagedAt === null) {
    return [`Whole: ${kept} records.`, ...(orphans > 0 ? leftOut : ['Nothing was changed.'])].join(
      ' ',
    )
  }
  const rows = losses.map(({ topic, kept, lost, within }) => [
    topic,
    lost === null ? 'unknown' : String(lost),
    String(kept),
    within.map(([from, to]) => `${from}-${to - 1}`).join(' '),
  ])
  const more = damage.length - shownDamage
  return [
    ...damage.slice(0, shownDamage),
    ...(more > 0 ? [`and ${more} more`] : []),
    '',
    ...(losses.length > 0
      ? [
          tableOf(
            ['topic', 'lost', 'kept', 'within offsets'],
            rows,
            style,
            new Set(['lost', 'kept']),
          ),
        ]
      : ['No record is lost.']),
    ...(namelessRecords > 0
      ? [`${namelessRecords} records were left out: the names of their topics are lost.`]
      : []),
    ...leftOut,
    '',
    `Repaired: ${kept} records. The damaged log and this report are in ${damagedAt}.`,
  ].join('\n')
}
