/** The help dialogue: keyboard shortcuts, and the meaning of price colours. */

import { useEffect, useRef } from 'preact/hooks'

const keys = [
  ['j', 'next game'],
  ['k', 'previous game'],
  ['o or Enter', 'open the game'],
  ['1 – 9', 'choose a league; 1 is all'],
  ['/', 'search'],
  ['f', 'next odds format'],
  ['Esc', 'back to the board'],
  ['?', 'this list'],
] as const

export function Help({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current!.showModal(), [])
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={onClose}>
      <h2 id="help-title">Keyboard</h2>
      <dl>
        {keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <h2>Prices</h2>
      <ul>
        <li>
          <span class="sample top">−110</span> the best price of its line
        </li>
        <li>
          <span class="sample up">−108</span> has just gone up (▲) or down (▼)
        </li>
        <li>
          <span class="sample suspended">−110</span> suspended: the sportsbook takes no bets on it
        </li>
        <li>
          <span class="sample withheld">−110</span> withheld: probably an error, never counted as
          best
        </li>
        <li>
          <span class="sample stale">−110</span> old: no news from its sportsbook for a minute
        </li>
      </ul>
      <button type="button" class="primary" onClick={() => dialog.current!.close()}>
        Close
      </button>
    </dialog>
  )
}
