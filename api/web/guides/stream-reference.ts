/**
 * The stream reference as Markdown, generated from the AsyncAPI document: channels, parameters, messages with fields
 * and examples, and rows that messages share. `render-guides.ts` makes a page of it.
 */

import { anchorOf } from './render-guides.ts'

/** The parts of the AsyncAPI document that are read here. */
export interface StreamDocument {
  readonly info: { readonly title: string; readonly description: string }
  readonly servers: Readonly<Record<string, { readonly description: string }>>
  readonly channels: Readonly<Record<string, Channel>>
  readonly operations: Readonly<Record<string, Operation>>
  readonly components: {
    readonly messages: Readonly<Record<string, Message>>
    readonly schemas: Readonly<Record<string, Schema>>
  }
}

interface Ref {
  readonly $ref: string
}

interface Channel {
  readonly address: string
  readonly summary: string
  readonly description?: string
  readonly servers: readonly Ref[]
  readonly messages: Readonly<Record<string, Ref>>
  readonly parameters?: Readonly<Record<string, { readonly description: string }>>
  readonly bindings?: { readonly ws?: { readonly query: Schema } }
}

interface Operation {
  readonly action: 'send' | 'receive'
  readonly channel: Ref
  readonly messages: readonly Ref[]
  readonly reply?: { readonly messages: readonly Ref[] }
  readonly bindings?: { readonly http?: { readonly query: Schema } }
}

interface Message {
  readonly name: string
  readonly summary: string
  readonly headers?: Schema
  readonly payload: Schema
  readonly examples: readonly { readonly headers?: object; readonly payload: unknown }[]
}

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly additionalProperties?: boolean | Schema
}

export function streamReference(document: StreamDocument): string {
  const { info, servers, channels, operations, components } = document
  const sections = Object.entries(servers).flatMap(([server, { description }]) => {
    const own = Object.entries(channels).filter(([, channel]) =>
      channel.servers.some(({ $ref }) => nameIn($ref) === server),
    )
    const ids = new Set(own.map(([id]) => id))
    const ofServer = Object.values(operations).filter(({ channel }) =>
      ids.has(nameIn(channel.$ref)),
    )
    const messages = messagesOf(ofServer)
    const isBlocks = messages.some(({ key }) => components.messages[key]!.headers !== undefined)
    const kind = isBlocks ? 'Event streams' : 'WebSocket'
    return [
      `## ${kind}: channels`,
      description,
      ...own.flatMap(([, channel]) => channelSection(channel, messages, components.messages)),
      `### Parameters of ${isBlocks ? 'event streams' : 'the WebSocket'}`,
      parameterTable(own, ofServer),
      `## ${kind}: messages`,
      ...(isBlocks ? ['`data` is one line of JSON; here it is indented for reading.'] : []),
      ...messages.flatMap((message) =>
        messageSection(message, components.messages[message.key]!, components),
      ),
    ]
  })
  const used = new Set(Object.values(components.messages).map(({ payload }) => nameOf(payload)))
  const rows = Object.entries(components.schemas).filter(
    ([name]) => !used.has(name) || isShared(document, name),
  )
  return `${[
    '# Stream reference',
    info.description,
    ...sections,
    '## Rows',
    'Rows that several messages contain.',
    ...rows.flatMap(([name, schema]) => [
      `### ${name}`,
      ...(schema.description ? [schema.description] : []),
      fieldTable(schema, components.schemas),
    ]),
  ].join('\n\n')}\n`
}

// ---- channels

interface SentMessage {
  readonly key: string
  /** Part of the heading, which distinguishes messages of the same name. */
  readonly kind: 'event' | 'frame' | 'request'
  readonly repliedBy: readonly string[]
}

/** Returns each message once, in the order of the operations. */
function messagesOf(operations: readonly Operation[]): readonly SentMessage[] {
  const found = new Map<string, SentMessage>()
  for (const { action, messages, reply, bindings } of operations) {
    const kind = action === 'receive' ? 'request' : bindings?.http ? 'event' : 'frame'
    const repliedBy = (reply?.messages ?? []).map(({ $ref }) => nameIn($ref))
    for (const { $ref } of messages) {
      const key = nameIn($ref)
      if (!found.has(key)) found.set(key, { key, kind, repliedBy })
    }
  }
  return [...found.values()]
}

function channelSection(
  { address, summary, description, messages, parameters = {} }: Channel,
  all: readonly SentMessage[],
  named: Readonly<Record<string, Message>>,
): readonly string[] {
  const linksOf = (isRequest: boolean) =>
    all
      .filter(({ key, kind }) => key in messages && (kind === 'request') === isRequest)
      .map((message) => linkTo(message, named[message.key]!))
      .join(', ')
  const requests = linksOf(true)
  return [
    `### ${address}`,
    [summary, description].filter((text) => text !== undefined).join(' '),
    ...Object.entries(parameters).map(([name, { description: means }]) => `\`${name}\`: ${means}`),
    `Sends ${linksOf(false)}.`,
    ...(requests === '' ? [] : [`Takes ${requests}.`]),
  ]
}

/** Returns one table for all channels, because most take the same parameters. */
function parameterTable(
  channels: readonly (readonly [string, Channel])[],
  operations: readonly Operation[],
): string {
  const takers = new Map<string, { schema: Schema; addresses: string[] }>()
  for (const [id, { address, bindings }] of channels) {
    const queries = operations
      .filter(({ channel }) => nameIn(channel.$ref) === id)
      .map((operation) => operation.bindings?.http?.query)
    for (const query of [bindings?.ws?.query, ...queries]) {
      for (const [name, schema] of Object.entries(query?.properties ?? {})) {
        const taker = takers.get(name) ?? { schema, addresses: [] }
        taker.addresses.push(address)
        takers.set(name, taker)
      }
    }
  }
  const rows = [...takers].map(([name, { schema, addresses }]) => {
    const others = channels.map(([, { address }]) => address).filter((a) => !addresses.includes(a))
    const some =
      others.length < addresses.length ? `Not of ${code(others)}.` : `Of ${code(addresses)} alone.`
    const words = others.length === 0 ? meaning(schema) : `${meaning(schema)} ${some}`
    return [`\`${name}\``, typeText(schema), words]
  })
  return table(['Parameter', 'Type', 'Meaning'], rows)
}

// ---- messages

const headingOf = ({ kind }: SentMessage, { name }: Message) => `\`${name}\` ${kind}`

function linkTo(sent: SentMessage, message: Message): string {
  return `[\`${message.name}\`](#${anchorOf(headingOf(sent, message))})`
}

function messageSection(
  sent: SentMessage,
  message: Message,
  { messages, schemas }: StreamDocument['components'],
): readonly string[] {
  const replies = sent.repliedBy.map((key) =>
    linkTo({ key, kind: 'frame', repliedBy: [] }, messages[key]!),
  )
  return [
    `### ${headingOf(sent, message)}`,
    message.summary + (replies.length > 0 ? ` Answered by ${replies.join(' or ')}.` : ''),
    fieldTable(message.payload, schemas),
    ...message.examples.map(({ headers, payload }) => {
      const head = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}\n`)
      const body = JSON.stringify(payload, null, 2)
      return `\`\`\`json\n${head.join('')}${headers ? 'data: ' : ''}${body}\n\`\`\``
    }),
  ]
}

/** Returns the fields of a schema: those of the items for a list, those of all forms for a choice. */
function fieldTable(listed: Schema, schemas: StreamDocument['components']['schemas']): string {
  const schema = listed.$ref ? schemas[nameIn(listed.$ref)]! : listed
  const rows = fieldsOf(schema, '')
  if (rows.length === 0) return `${capital(typeText(schema))}.`
  const choice = alternatives(schema)
  const note = choice.length > 0 ? `One of ${code(choice)} is there.\n\n` : ''
  return note + table(['Field', 'Type', 'Always', 'Meaning'], rows)
}

/** Returns the fields that exactly one of the forms has. */
function alternatives({ anyOf = [] }: Schema): readonly string[] {
  const forms = anyOf.map(({ properties = {} }) => Object.keys(properties))
  const all = [...new Set(forms.flat())]
  return all.filter((name) => forms.filter((form) => form.includes(name)).length === 1)
}

function fieldsOf(schema: Schema, path: string): readonly (readonly string[])[] {
  const forms = (schema.anyOf ?? [schema]).filter(({ properties }) => properties !== undefined)
  const members = new Map<string, Schema>()
  for (const { properties } of forms) {
    for (const [name, member] of Object.entries(properties!)) {
      if (!members.has(name)) members.set(name, member)
    }
  }
  return [...members].flatMap(([name, member]) => {
    const always = forms.every(({ required = [] }) => required.includes(name))
    const isList = member.items?.properties !== undefined
    const own = `${path}${name}`
    return [
      [`\`${own}\``, typeText(member), always ? 'yes' : '', meaning(member)],
      ...fieldsOf(isList ? member.items! : member, `${own}${isList ? '[]' : ''}.`),
    ]
  })
}

/** Returns whether another schema refers to it. */
const isShared = ({ components }: StreamDocument, name: string) =>
  JSON.stringify(components.schemas).includes(`"#/components/schemas/${name}"`)

// ---- schemas in words

function typeText(schema: Schema): string {
  if (schema.$ref) return `[${nameIn(schema.$ref)}](#${anchorOf(nameIn(schema.$ref))})`
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeText))].join(' or ')
  const types = [schema.type ?? []].flat().map((type) => {
    if (type === 'array') return `list${schema.items ? ` of ${typeText(schema.items)}` : ''}`
    if (schema.format === 'date-time' && type === 'string') return 'time'
    if (schema.format === 'date' && type === 'string') return 'day'
    return type
  })
  return types.length === 0 ? 'anything' : types.join(' or ')
}

function meaning(schema: Schema): string {
  const { description = '', enum: values, minimum, maximum, maxItems } = schema
  const parts = [description.trim()]
  // Values that the description explains are left out.
  const unexplained = values?.filter((value) => !description.includes(`\`${value}\``)) ?? []
  if (unexplained.length > 0) {
    parts.push(values!.length === 1 ? `Is ${code(values!)}.` : `One of ${code(values!)}.`)
  }
  if (minimum !== undefined && maximum !== undefined) parts.push(`From ${minimum} to ${maximum}.`)
  else if (minimum !== undefined && minimum !== 0) parts.push(`At least ${minimum}.`)
  else if (maximum !== undefined) parts.push(`At most ${maximum}.`)
  if (maxItems !== undefined) parts.push(`At most ${maxItems}.`)
  return parts.filter((part) => part !== '').join(' ')
}

// ---- parts

const nameIn = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)
const nameOf = ({ $ref = '' }: Schema) => nameIn($ref)
const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
const code = (values: readonly unknown[]) => values.map((value) => `\`${value}\``).join(', ')

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ')).join(' | ')} |`
  return [head, head.map(() => '---'), ...rows].map(line).join('\n')
}
