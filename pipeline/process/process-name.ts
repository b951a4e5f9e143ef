import { hostname } from 'node:os'

/** The name of this process among several: its host and process id. */
export const processName = `${hostname()} ${process.pid}`
