/** The keys of the board, in a dialogue. */

import { useEffect, useRef } from 'preact/hooks'

const keys = [
  ['j', 'next game'],
  ['k', 'game before'],
  ['o or Enter', 'open the game'],
  ['1 – 9', 'league: 1 is all of them'],
  ['/', 'search'],
  ['f', 'American, decimal, probability'],
  ['Esc', 'back to the board'],
  ['?', 'this list'],
] as const

export function Help({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current!.showModal(), [])
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={onClose}>
      <h2 id="help-title">Keys</h2>
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
      <h2>On the board</h2>
      <ul>
        <li>
          <span class="sample top">−110</span> the best price of its line
        </li>
        <li>
          <span class="sample up">−108</span> went up just now (▲), or down (▼)
        </li>
        <li>
          <span class="sample suspended">−110</span> suspended: no bets are taken
        </li>
        <li>
          <span class="sample withheld">−110</span> withheld: too far from the others to be believed
        </li>
        <li>
          <span class="sample stale">−110</span> its sportsbook has been silent for a minute
        </li>
      </ul>
      <button type="button" class="primary" onClick={() => dialog.current!.close()}>
        Close
      </button>
    </dialog>
  )
}
