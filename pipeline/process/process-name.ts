import { hostname } from 'node:os'

/** What this process is called where there are several: its host and its process id. */
export const processName = `${hostname()} ${process.pid}`
