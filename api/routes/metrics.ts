/** GET /metrics: the Prometheus metrics. For the operator only, because they name every sportsbook and source. */

import type { Registry } from 'prom-client'
import { openAction, type Route } from '../route.ts'

/** @param pipelineText returns the metrics of a pipeline in a thread of this process, in the same format */
export const createMetricsRoute = (
  registry: Registry,
  pipelineText: () => Promise<string>,
): Route =>
  openAction({
    method: 'get',
    path: '/metrics',
    access: 'admin',
    tag: 'Admin',
    isHidden: true,
    summary: 'Figures of this process, for Prometheus.',
    description:
      'In the text format of Prometheus: boards, streams, requests, latency of prices by sportsbook, sources, archive, the log, and the process itself.',
    query: {},
    answer: {
      description: 'The figures.',
      mediaType: 'text/plain',
      example:
        '# HELP overround_ready 1 while requests are answered.\n# TYPE overround_ready gauge\noverround_ready 1\n',
    },
    errors: [],
    async handle() {
      const body = (await registry.metrics()) + (await pipelineText())
      return { body, headers: { 'Content-Type': registry.contentType } }
    },
  })
