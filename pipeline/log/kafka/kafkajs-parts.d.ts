/** Types of the kafkajs files that `internals.ts` uses, which have none. */

declare module 'kafkajs/src/protocol/error.js' {
  export function createErrorFromCode(
    code: number,
  ): Error & { readonly type: string; readonly retriable: boolean }
}
