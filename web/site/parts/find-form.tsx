import { words } from '../data/words.ts'

interface Props {
  /** What was searched for last, as in the address. */
  readonly q: string | undefined
  readonly label: string
  readonly className?: string | undefined
  /** @param q without spaces at its ends; empty for everything */
  readonly find: (q: string) => void
}

/** Searches a list by a text that stays in the address. */
export function FindForm({ q, label, className, find }: Props) {
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        find(String(new FormData(event.currentTarget).get('q') ?? '').trim())
      }}
    >
      <input
        key={q}
        className="in"
        type="search"
        name="q"
        defaultValue={q}
        maxLength={100}
        placeholder={label}
        aria-label={label}
      />
      <button type="submit" className="btn">
        {words('search.do')}
      </button>
    </form>
  )
}
