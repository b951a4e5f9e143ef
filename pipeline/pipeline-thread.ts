/** Starts the pipeline in a thread of its own (`worker.ts`), beside the API of the same process. */

import { Worker } from 'node:worker_threads'
import type { Config } from './config.ts'

export interface PipelineThread {
  /** Resolves when its feeds are open and the log is ours. */
  readonly started: Promise<void>
  /** Resolves when it has stopped on the signal, rejects when it ends otherwise. */
  readonly ended: Promise<void>
}

export function startPipelineThread(config: Config, signal: AbortSignal): PipelineThread {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: config })
  const tellToStop = () => worker.postMessage('stop')
  if (signal.aborted) tellToStop()
  else signal.addEventListener('abort', tellToStop, { once: true })
  return {
    started: new Promise((resolve) => worker.once('message', () => resolve())),
    ended: new Promise((resolve, reject) => {
      worker.once('error', reject)
      worker.once('exit', (code) => {
        if (signal.aborted) resolve()
        else reject(new Error(`The pipeline ended by itself (exit code ${code}).`))
      })
    }),
  }
}
