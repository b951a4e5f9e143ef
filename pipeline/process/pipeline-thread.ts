/** Starts the pipeline in its own thread (`pipeline-worker.ts`), beside the API of the same process. */

import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { LogLevel } from '../../schemas/log-level.ts'
import type { Config } from '../settings/config.ts'

export interface PipelineThread {
  /** Resolves when its feeds are open and this process holds the log. */
  readonly started: Promise<void>
  /** Resolves when the signal has stopped it, rejects when it ends otherwise. */
  readonly ended: Promise<void>
  /** Returns its metrics as Prometheus text, with a gauge that is 0 when the thread did not respond in time. */
  metrics(): Promise<string>
}

export type ToPipeline = 'stop' | 'metrics' | { readonly logLevel: LogLevel }
export type FromPipeline = 'started' | { readonly metrics: string }

const metricsWithinMs = 2_000

/** @param figures null when the thread did not respond in time */
export const threadText = (
  figures: string | null,
) => `${figures ?? ''}# HELP overround_pipeline_thread_up 1 while the pipeline of this process answers.
# TYPE overround_pipeline_thread_up gauge
overround_pipeline_thread_up ${figures === null ? 0 : 1}
`

/** @param logger the thread follows every change of its level */
export function startPipelineThread(
  config: Config,
  logger: Logger,
  signal: AbortSignal,
): PipelineThread {
  const worker = new Worker(new URL('./pipeline-worker.js', import.meta.url), {
    workerData: config,
  })
  const tell = (message: ToPipeline) => worker.postMessage(message)
  logger.on('level-change', (level) => tell({ logLevel: level as LogLevel }))
  const tellToStop = () => tell('stop')
  if (signal.aborted) tellToStop()
  else signal.addEventListener('abort', tellToStop, { once: true })
  let waiting: ((text: string) => void)[] = []
  let begun = () => {}
  const started = new Promise<void>((resolve) => {
    begun = resolve
  })
  worker.on('message', (message: FromPipeline) => {
    if (message === 'started') return begun()
    for (const resolve of waiting) resolve(message.metrics)
    waiting = []
  })
  return {
    started,
    metrics: () =>
      new Promise((resolve) => {
        setTimeout(resolve, metricsWithinMs, threadText(null)).unref()
        waiting.push((text) => resolve(threadText(text)))
        tell('metrics')
      }),
    ended: new Promise((resolve, reject) => {
      worker.once('error', reject)
      worker.once('exit', (code) => {
        if (signal.aborted) resolve()
        else reject(new Error(`The pipeline ended by itself (exit code ${code}).`))
      })
    }),
  }
}
