import { useId, useState } from 'react'
import type { AwardCategory, Awards } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Failure } from '../../parts/loaded.tsx'
import styles from './awards.module.css'
import type { Group } from './nominations.tsx'

/** Makes one nominee of the nominations that are ticked, or adds them to one that there is, or takes them out. */

interface Props {
  readonly awards: Awards
  readonly category: AwardCategory
  readonly groups: readonly Group[]
  readonly marked: readonly Group[]
  readonly done: () => void
}

const guidsOf = (groups: readonly Group[]) => groups.flatMap(({ nominations }) => nominations.map(({ guid }) => guid))

export function Merge({ awards, category, groups, marked, done }: Props) {
  const id = useId()
  const [first] = marked
  const [label, setLabel] = useState(first?.name ?? '')
  const [target, setTarget] = useState('')
  const params = { edition: awards.guid, category: category.guid }
  const make = useWrite('POST /awards/{edition}/categories/{category}/nominees', (known) => {
    done()
    known.renew('/awards')
  })
  const change = useWrite('PATCH /awards/{edition}/categories/{category}/nominees/{nominee}', (known) => {
    done()
    known.renew('/awards')
  })
  if (first === undefined) return <p className="muted">{words('admin-awards.tick')}</p>
  const create = () =>
    void make.send({ params, body: { label: label.trim(), link: first.link, nominations: guidsOf(marked) } })
  const add = () => {
    const own = groups.filter((group) => group.nomineeGuid === target || marked.includes(group))
    void change.send({ params: { ...params, nominee: target }, body: { nominations: guidsOf(own) } })
  }
  const into = marked.every(({ nomineeGuid }) => nomineeGuid === first.nomineeGuid) ? first.nomineeGuid : null
  const takeOut = () => {
    const left = groups.filter((group) => group.nomineeGuid === into && !marked.includes(group))
    void change.send({ params: { ...params, nominee: into ?? '' }, body: { nominations: guidsOf(left) } })
  }
  const isSending = make.isSending || change.isSending
  const error = make.error ?? change.error
  return (
    <div className={styles.merge}>
      <form
        className={styles.inline}
        onSubmit={(event) => {
          event.preventDefault()
          create()
        }}
      >
        <div className="field">
          <label htmlFor={`${id}l`}>{words('admin-awards.nominee-name')}</label>
          <input
            id={`${id}l`}
            className="in"
            dir="auto"
            maxLength={120}
            value={label}
            required
            onChange={(event) => setLabel(event.target.value)}
          />
        </div>
        <button type="submit" className="btn btn-primary" aria-disabled={isSending}>
          {words('admin-awards.nominee-make', { count: marked.length })}
        </button>
      </form>
      {category.nominees !== null && category.nominees.length > 0 && (
        <form
          className={styles.inline}
          onSubmit={(event) => {
            event.preventDefault()
            add()
          }}
        >
          <div className="field">
            <label htmlFor={`${id}t`}>{words('admin-awards.nominee-known')}</label>
            <select
              id={`${id}t`}
              className="in"
              value={target}
              required
              onChange={(event) => setTarget(event.target.value)}
            >
              <option value="">{words('admin-awards.nominee-choose')}</option>
              {category.nominees.map((nominee) => (
                <option key={nominee.guid} value={nominee.guid}>
                  {nominee.label}
                </option>
              ))}
            </select>
          </div>
          <button type="submit" className="btn" aria-disabled={isSending}>
            {words('admin-awards.nominee-add')}
          </button>
        </form>
      )}
      {into !== null && (
        <button type="button" className="btn" aria-disabled={isSending} onClick={takeOut}>
          {words('admin-awards.take-out')}
        </button>
      )}
      {error && <Failure error={error} again={make.error ? create : target === '' ? takeOut : add} />}
    </div>
  )
}
