/** `/keys`: accounts and their keys, for the operator: list, create, disable, delete. */

import { useState } from 'preact/hooks'
import type { OwnedAccount } from '../../wire.ts'
import { type CountedPage, offsetPageOf, pageItems, readPages } from '../data/pages.ts'
import { administer } from '../data/rest.ts'
import { Figures } from '../shell/figures.tsx'
import { Refusal } from '../shell/refusal.tsx'
import { Secret } from '../shell/secret.tsx'
import { Select } from '../shell/select.tsx'
import { sending } from '../shell/sending.ts'
import { useAction } from '../shell/use-action.ts'
import { WithToken } from './with-token.tsx'

const tiers = ['free', 'hobby', 'pro', 'sharp', 'enterprise'] as const

async function readAccounts(): Promise<readonly OwnedAccount[]> {
  const read = async (offset: number) => {
    const path = `/admin/accounts?limit=${pageItems}&offset=${offset}`
    return offsetPageOf(await administer<CountedPage<OwnedAccount>>(path))
  }
  return (await readPages(read, ({ account_id }) => account_id)).items
}

export const KeysPage = () => (
  <WithToken
    title="Keys"
    everyMs={10_000}
    read={readAccounts}
    show={(accounts, refetch) => <Accounts accounts={accounts} refetch={refetch} />}
  />
)

/** A key made on this page, which the service does not show again. */
interface MadeKey {
  /** Name of its account. */
  readonly account: string
  readonly key: string
}

interface AccountsProps {
  readonly accounts: readonly OwnedAccount[]
  readonly refetch: () => void
}

function Accounts({ accounts, refetch }: AccountsProps) {
  const [name, setName] = useState('')
  const [tier, setTier] = useState<(typeof tiers)[number]>('pro')
  const [isStreaming, setStreaming] = useState(true)
  const [made, setMade] = useState<readonly MadeKey[]>([])
  const [refusal, act, isBusy] = useAction(refetch)
  const showMade = (one: MadeKey) => setMade((before) => [...before, one])

  const create = () =>
    act(async () => {
      const { data } = await administer<{ data: { key: string } }>('/admin/accounts', 'POST', {
        name,
        tier,
        ...(isStreaming && tier !== 'free' && { addons: ['streaming'] }),
      })
      showMade({ account: name, key: data.key })
      setName('')
    })
  const addKey = ({ account_id, name: account }: OwnedAccount) =>
    act(async () => {
      const { data } = await administer<{ data: { key: string } }>(
        `/admin/accounts/${account_id}/keys`,
        'POST',
        { name: 'board' },
      )
      showMade({ account, key: data.key })
    })
  const path = ({ account_id }: OwnedAccount) => `/admin/accounts/${account_id}`
  return (
    <>
      <form class="bar tools" onSubmit={sending(create)}>
        <label class="field">
          Name
          <input required value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <label class="field">
          Tier
          <Select choices={tiers.map((one) => [one, one])} value={tier} onChoose={setTier} />
        </label>
        <label class="field">
          <input
            type="checkbox"
            checked={isStreaming}
            onChange={(event) => setStreaming(event.currentTarget.checked)}
          />
          streams
        </label>
        <button type="submit" class="primary" disabled={isBusy}>
          New account
        </button>
      </form>
      <Refusal message={refusal} />
      {made.map(({ account, key }) => (
        <p key={key} class="made">
          <span role="status">New key of {account}, shown only once:</span> <Secret text={key} />
        </p>
      ))}
      {accounts.length === 0 ? (
        <p class="hint">
          No accounts yet. Create the first one above. Sandbox keys are not listed.
        </p>
      ) : (
        <Figures
          isOfTexts
          label="Accounts"
          columns={['Account', 'Tier', 'Add-ons', 'Keys', 'State']}
        >
          {accounts.map((account) => (
            <tr key={account.account_id}>
              <th scope="row">
                {account.name} <small>{account.account_id}</small>
              </th>
              <td>{account.tier}</td>
              <td>{account.addons.join(', ') || '–'}</td>
              <td>
                <ul class="keys">
                  {account.keys.map((key) => (
                    <li key={key.id}>
                      {key.name} <code>{key.id_masked}</code>
                      <button
                        type="button"
                        disabled={isBusy}
                        onClick={() => {
                          if (
                            !confirm(
                              `Delete key ${key.id_masked} of ${account.name}? It stops working.`,
                            )
                          )
                            return
                          act(() => administer(`${path(account)}/keys/${key.id}`, 'DELETE'))
                        }}
                      >
                        Delete
                      </button>
                    </li>
                  ))}
                  <li>
                    <button type="button" disabled={isBusy} onClick={() => addKey(account)}>
                      New key
                    </button>
                  </li>
                </ul>
              </td>
              <td>
                {account.disabled ? 'disabled' : 'enabled'}{' '}
                <button
                  type="button"
                  disabled={isBusy}
                  onClick={() =>
                    act(() => administer(path(account), 'PATCH', { disabled: !account.disabled }))
                  }
                >
                  {account.disabled ? 'Enable' : 'Disable'}
                </button>
              </td>
            </tr>
          ))}
        </Figures>
      )}
    </>
  )
}
