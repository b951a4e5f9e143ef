/** The dialogue for columns and rows of the board: its figures, how low rows are, and the reader's own sportsbooks. */

import { useEffect, useRef } from 'preact/hooks'
import { type Figure, figures } from '../data/columns.ts'
import { nameOfBook, useDesk } from './context.ts'

const figureNames: Readonly<Record<Figure, string>> = {
  best: 'Best price',
  hold: 'Hold',
  fair: 'Fair odds',
  open: 'Opening odds',
  move: 'Movement',
}

export function ColumnsDialog({ onClose }: { readonly onClose: () => void }) {
  const desk = useDesk()
  const { choices, choose, sportsbooks } = desk
  const { books } = choices
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current!.showModal(), [])
  const others = sportsbooks
    .filter(({ id, last_update }) => last_update !== null && !books.includes(id))
    .map(({ id }) => id)
  const setBooks = (next: readonly string[]) =>
    choose({ books: next, ...(next.length === 0 && { isOnlyMine: false }) })
  const moveUp = (id: string) => {
    const at = books.indexOf(id)
    setBooks([...books.slice(0, at - 1), id, books[at - 1]!, ...books.slice(at + 1)])
  }
  return (
    <dialog ref={dialog} class="column-choice" aria-labelledby="columns-title" onClose={onClose}>
      <h2 id="columns-title">Columns</h2>
      <section class="figures" aria-label="Figures and rows">
        {figures.map((figure) => (
          <label key={figure}>
            <input
              type="checkbox"
              checked={choices.figures.includes(figure)}
              onChange={(event) =>
                choose({
                  figures: figures.filter((one) =>
                    one === figure ? event.currentTarget.checked : choices.figures.includes(one),
                  ),
                })
              }
            />
            {figureNames[figure]}
          </label>
        ))}
        <label>
          <input
            type="checkbox"
            checked={choices.isCompact}
            onChange={(event) => choose({ isCompact: event.currentTarget.checked })}
          />
          Compact rows
        </label>
      </section>
      <section aria-label="My sportsbooks">
        <h3>My sportsbooks</h3>
        <p class="hint">
          They come first on the board. They are those of <a href="/profile">your profile</a>; one
          with a commission or a limit is paused there, not removed.
        </p>
        <label>
          <input
            type="checkbox"
            disabled={books.length === 0}
            checked={choices.isOnlyMine}
            onChange={(event) => choose({ isOnlyMine: event.currentTarget.checked })}
          />
          Only mine: best prices and hold among these
        </label>
        <ol>
          {[...books, ...others].map((id, at) => {
            const isMine = at < books.length
            return (
              <li key={id}>
                <label>
                  <input
                    type="checkbox"
                    checked={isMine}
                    onChange={() =>
                      setBooks(isMine ? books.filter((one) => one !== id) : [...books, id])
                    }
                  />
                  {nameOfBook(desk, id)}
                </label>
                {isMine && at > 0 && (
                  <button
                    type="button"
                    aria-label={`${nameOfBook(desk, id)}: one place forward`}
                    onClick={() => moveUp(id)}
                  >
                    ↑
                  </button>
                )}
              </li>
            )
          })}
        </ol>
      </section>
      <button type="button" class="primary" onClick={() => dialog.current!.close()}>
        Done
      </button>
    </dialog>
  )
}
