/** Types of the kafkajs files that `internals.ts` uses, which have none. */

declare module 'kafkajs/src/protocol/error.js' {
  export function createErrorFromCode(
    code: number,
  ): Error & { readonly type: string; readonly retriable: boolean }
}

declare module 'kafkajs/src/network/connection.js' {
  import type { Socket } from 'node:net'
  export default class Connection {
    isConnected(): boolean
    connect(): Promise<unknown>
    /** Absent before the first connection. */
    socket?: Socket
    /** The bytes of the next response that have been received. */
    chunks: Buffer[]
    bytesBuffered: number
    bytesNeeded: number
  }
}

declare module 'kafkajs/src/broker/index.js' {
  export default class Broker {
    isConnected(): boolean
    /** Named `notInitializedLookup` until the broker has said which requests it knows. */
    lookupRequest: (...asked: unknown[]) => unknown
  }
}

declare module 'kafkajs/src/cluster/index.js' {
  export default class Cluster {
    /** The topics whose metadata it asks for. */
    targetTopics: Set<string>
    addMultipleTargetTopics(topics: readonly string[]): Promise<void>
  }
}

declare module 'kafkajs/src/protocol/requests/metadata/index.js' {
  interface Metadata {
    readonly topicMetadata: readonly {
      readonly topicErrorCode: number
      readonly topic: string
      readonly partitionMetadata: readonly object[]
    }[]
    /** Ours (`internals.ts`). */
    readonly refusals?: readonly object[]
  }
  interface MetadataExchange {
    readonly request: object
    readonly response: {
      decode(payload: Buffer): Promise<Metadata>
      /** @throws Error for an error in the metadata that concerns all of them */
      parse(metadata: Metadata): Promise<Metadata>
    }
  }
  interface MetadataOptions {
    readonly topics: readonly string[]
    readonly allowAutoTopicCreation: boolean
  }
  const requests: {
    readonly versions: string[]
    protocol: (choice: { version: number }) => (options: MetadataOptions) => MetadataExchange
  }
  export default requests
}
