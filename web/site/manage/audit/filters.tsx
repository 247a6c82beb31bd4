import { Link, useNavigate } from '@tanstack/react-router'
import { useTournamentId } from '../../data/tournament.ts'
import { type WordId, words } from '../../data/words.ts'
import styles from './audit.module.css'
import { kinds } from './happened.ts'
import type { Names } from './names.ts'

/** Which entries are shown; all of it is in the address. */

export interface Search {
  readonly person?: string
  readonly kind?: string
  readonly subject?: string
  /** Days of the reader's zone. */
  readonly from?: string
  readonly to?: string
}

interface Props {
  readonly search: Search
  readonly names: Names
}

export function Filters({ search, names }: Props) {
  const tournament = useTournamentId()
  const navigate = useNavigate({ from: '/manage/$tournament/audit' })
  const set = (name: keyof Search, value: string) =>
    navigate({
      search: (before: Search) => {
        const { [name]: _dropped, ...others } = before
        return value === '' ? others : { ...others, [name]: value }
      },
      replace: true,
      resetScroll: false,
    })
  const isKnown = search.person === undefined || names.people.some(({ guid }) => guid === search.person)
  return (
    <form className={styles.filters} aria-label={words('audit.filters')} onSubmit={(event) => event.preventDefault()}>
      <label className="field">
        <span>{words('audit.person')}</span>
        <select className="in" value={search.person ?? ''} onChange={({ target }) => void set('person', target.value)}>
          <option value="">{words('audit.everybody')}</option>
          {names.people.map(({ guid, preferredName }) => (
            <option key={guid} value={guid}>
              {preferredName}
            </option>
          ))}
          {!isKnown && <option value={search.person}>{words('audit.chosen-person')}</option>}
        </select>
      </label>
      <label className="field">
        <span>{words('audit.kind')}</span>
        <select className="in" value={search.kind ?? ''} onChange={({ target }) => void set('kind', target.value)}>
          <option value="">{words('audit.kind-changed')}</option>
          {[...Object.keys(kinds), 'all'].map((kind) => (
            <option key={kind} value={kind}>
              {words(`audit.kind-${kind}` as WordId)}
            </option>
          ))}
        </select>
      </label>
      {(['from', 'to'] as const).map((name) => (
        <label key={name} className="field">
          <span>{words(`audit.${name}`)}</span>
          <input
            className="in"
            type="date"
            min="2020-01-01"
            value={search[name] ?? ''}
            onChange={({ target }) => void set(name, target.value)}
          />
        </label>
      ))}
      {Object.keys(search).length > 0 && (
        <Link to="/manage/$tournament/audit" params={{ tournament }} search={{}} className="btn" resetScroll={false}>
          {words('audit.drop')}
        </Link>
      )}
      {search.subject !== undefined && (
        <p className="muted">
          {words('audit.of-one', { name: names.nameOf(search.subject) ?? words('audit.one-record') })}
        </p>
      )}
    </form>
  )
}
