import { type ReactNode, useState } from 'react'
import { ApiError } from '../../../data/api.ts'
import { words } from '../../../data/words.ts'

/** A ruling by which an earlier game decides the match: the games after it are taken back, if the referee says so. */

interface DropLater {
  /** What the request says of it. */
  readonly given: { readonly dropLater?: true }
  /** The question, once the service has refused because of such games. */
  readonly field: ReactNode
  /** What else is wrong. */
  readonly error: Error | null
}

export function useDropLater(error: Error | null): DropLater {
  const [isDropping, setDropping] = useState(false)
  const isRefused = error instanceof ApiError && error.code === 'game.not_needed'
  return {
    given: isDropping ? { dropLater: true } : {},
    error: isRefused ? null : error,
    field: (isRefused || isDropping) && (
      <div className="notice notice-warning" role="alert">
        <div>
          <p className="strong">{words('cockpit.not-needed')}</p>
          <label className="choice">
            <input type="checkbox" checked={isDropping} onChange={({ target }) => setDropping(target.checked)} />
            {words('cockpit.drop-later')}
          </label>
        </div>
      </div>
    ),
  }
}
