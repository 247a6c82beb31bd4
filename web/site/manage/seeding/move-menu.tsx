import { useEffect, useRef, useState } from 'react'
import type { TeamReference } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import type { Order, Place } from './order.ts'
import styles from './seeding.module.css'

/** What can be done with one place of the list, below its line. Escape closes it. */

interface Props {
  /** The place, from 0. */
  readonly at: number
  readonly places: readonly Place[]
  readonly order: Order
  readonly known: ReadonlyMap<string, TeamReference>
  /** Teams that may come in. */
  readonly others: readonly TeamReference[]
  /** Where the team was before. */
  readonly was: number | undefined
  readonly move: (to: number) => void
  readonly swap: (to: number) => void
  readonly fill: (team: string | null) => void
  /** Names the control that keeps the focus when the list is drawn anew. */
  readonly refocus: (act: string) => void
  readonly close: () => void
}

export function MoveMenu({ at, places, order, known, others, was, move, swap, fill, refocus, close }: Props) {
  const root = useRef<HTMLDivElement>(null)
  const seedAt = (place: number) => places[place]?.seed ?? place + 1
  const [seed, setSeed] = useState(String(seedAt(at)))
  const [other, setOther] = useState('')
  const [comer, setComer] = useState('')
  const team = known.get(order[at] ?? '')
  const name = team?.name ?? words('seeding.empty')
  const last = order.length - 1
  useEffect(() => {
    if (!(root.current?.contains(document.activeElement) ?? false))
      root.current?.querySelector<HTMLElement>('button:not([aria-disabled="true"]), select')?.focus()
  }, [])
  const step = (act: 'up' | 'down', to: number) => {
    if (to < 0 || to > last) return
    refocus(act)
    move(to)
  }
  const goTo = () => {
    const target = places.findIndex((place, index) => (place.seed ?? index + 1) === Number(seed))
    if (target === -1) return
    refocus('seed')
    move(target)
  }
  const exchange = () => {
    if (other === '') return
    refocus('swap')
    swap(Number(other))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset in a table cell has a legend that is drawn over its edge
    <div
      ref={root}
      role="group"
      aria-label={words('seeding.menu', { team: name })}
      className={styles.acts}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        close()
      }}
    >
      <span className="btns">
        <button type="button" className="btn" data-act="up" aria-disabled={at === 0} onClick={() => step('up', at - 1)}>
          {words('draw.up')}
        </button>
        <button
          type="button"
          className="btn"
          data-act="down"
          aria-disabled={at === last}
          onClick={() => step('down', at + 1)}
        >
          {words('draw.down')}
        </button>
      </span>
      <form
        className={styles.act}
        onSubmit={(event) => {
          event.preventDefault()
          goTo()
        }}
      >
        <label>
          {words('seeding.to-seed')}
          <input
            className={`in num ${styles.tier}`}
            type="number"
            data-act="seed"
            min={seedAt(0)}
            max={seedAt(last)}
            required
            value={seed}
            onFocus={({ target }) => target.select()}
            onChange={({ target }) => setSeed(target.value)}
          />
        </label>
        <button type="submit" className="btn">
          {words('seeding.go')}
        </button>
      </form>
      <form
        className={styles.act}
        onSubmit={(event) => {
          event.preventDefault()
          exchange()
        }}
      >
        <label>
          {words('seeding.swap-with')}
          <select
            className="in"
            data-act="swap"
            required
            value={other}
            onChange={({ target }) => setOther(target.value)}
          >
            <option value="">{words('seeding.choose')}</option>
            {order.map((guid, index) =>
              index === at ? null : (
                <option key={guid ?? `empty ${index}`} value={index}>
                  {seedAt(index)} {known.get(guid ?? '')?.name ?? words('seeding.empty')}
                </option>
              ),
            )}
          </select>
        </label>
        <button type="submit" className="btn">
          {words('seeding.swap')}
        </button>
      </form>
      {(team === undefined || others.length > 0) && (
        <form
          className={styles.act}
          onSubmit={(event) => {
            event.preventDefault()
            if (comer === '') return
            refocus('up')
            fill(comer)
            setComer('')
          }}
        >
          <label>
            {words(team === undefined ? 'seeding.put-in' : 'seeding.replace')}
            <select className="in" required value={comer} onChange={({ target }) => setComer(target.value)}>
              <option value="">{words(others.length === 0 ? 'seeding.no-others' : 'seeding.choose')}</option>
              {others.map((each) => (
                <option key={each.guid} value={each.guid}>
                  {each.name}
                </option>
              ))}
            </select>
          </label>
          <button type="submit" className="btn" aria-disabled={others.length === 0}>
            {words('seeding.put')}
          </button>
        </form>
      )}
      <span className="btns">
        {was !== undefined && was !== at && (
          <button type="button" className="btn" onClick={() => step('up', was)}>
            {words('seeding.back', { seed: seedAt(was) })}
          </button>
        )}
        {team !== undefined && (
          <button
            type="button"
            className="btn"
            onClick={() => {
              refocus('up')
              fill(null)
            }}
          >
            {words('seeding.out')}
          </button>
        )}
        <button type="button" className="btn btn-quiet" onClick={close}>
          {words('dialog.close')}
        </button>
      </span>
    </div>
  )
}
