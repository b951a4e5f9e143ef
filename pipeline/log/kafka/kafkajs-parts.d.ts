/** What `internals.ts` uses of kafkajs's own files, which have no types. */

declare module 'kafkajs/src/protocol/error.js' {
  export function createErrorFromCode(
    code: number,
  ): Error & { readonly type: string; readonly retriable: boolean }
}
