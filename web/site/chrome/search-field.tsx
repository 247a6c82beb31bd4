import { useNavigate } from '@tanstack/react-router'
import { words } from '../data/words.ts'
import { Icon } from '../parts/icon.tsx'
import styles from './search-field.module.css'

/** The field of the search in the bar; `/` leads to it. */
export function SearchField() {
  const navigate = useNavigate()
  return (
    <search className={styles.find}>
      <form
        action="/search"
        onSubmit={(event) => {
          event.preventDefault()
          const q = String(new FormData(event.currentTarget).get('q') ?? '').trim()
          void navigate({ to: '/search', search: q === '' ? {} : { q } })
        }}
      >
        <Icon name="search" />
        <input
          className="in"
          type="search"
          name="q"
          maxLength={100}
          data-shortcut="/"
          aria-label={words('search.what')}
          placeholder={words('search.title')}
        />
        <span className={styles.key} aria-hidden="true">
          {'/'}
        </span>
      </form>
    </search>
  )
}
