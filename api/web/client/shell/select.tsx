/** A list that one of its choices is taken from. */

interface SelectProps<Value extends string> {
  readonly choices: readonly (readonly [value: Value, name: string])[]
  readonly value: Value
  readonly onChoose: (value: Value) => void
  readonly id?: string
  readonly required?: boolean
  readonly 'aria-label'?: string
  readonly 'aria-describedby'?: string
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { choices, onChoose, ...attributes } = props
  return (
    <select
      {...attributes}
      onChange={({ currentTarget }) => onChoose(currentTarget.value as Value)}
    >
      {choices.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  )
}
