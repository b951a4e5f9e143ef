/** A choice of one among few, as buttons side by side. */

interface SwitchProps<Name extends string> {
  readonly label: string
  readonly names: Readonly<Record<Name, string>>
  readonly order: readonly Name[]
  readonly value: Name
  readonly onChange: (name: Name) => void
}

export function Switch<Name extends string>(props: SwitchProps<Name>) {
  const { label, names, order, value, onChange } = props
  return (
    <fieldset class="switch" aria-label={label}>
      {order.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === value}
          onClick={() => onChange(name)}
        >
          {names[name]}
        </button>
      ))}
    </fieldset>
  )
}
