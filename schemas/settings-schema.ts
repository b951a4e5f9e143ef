/** The JSON Schema of the settings of a live source: the part that is used here. */

export interface SettingSchema {
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly default?: unknown
  /** True for keys and passwords, which are never shown again. */
  readonly writeOnly?: boolean
  readonly items?: SettingSchema
  readonly anyOf?: readonly SettingSchema[]
}

export interface SettingsSchema {
  readonly properties: Readonly<Record<string, SettingSchema>>
  readonly required?: readonly string[]
  readonly [keyword: string]: unknown
}
