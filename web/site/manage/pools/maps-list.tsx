import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Pool, PoolMap } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Icon } from '../../parts/icon.tsx'
import { Empty, Failure } from '../../parts/loaded.tsx'
import { FlairName, mapName } from '../../parts/map.tsx'
import { State } from '../../parts/state.tsx'
import { Instant } from '../../parts/time.tsx'
import { Cover, MapNumbers, MapTitle, NumbersHead } from './map-line.tsx'
import { type Order, useOrder } from './order.ts'
import styles from './pools.module.css'
import type { Rights } from './reads.ts'

/** The maps of a pool in their order, which buttons, keys and dragging change. */

interface Props {
  readonly pool: Pool
  readonly rights: Rights
  /** The map that is open. */
  readonly open: string | undefined
}

export function MapsList({ pool, rights, open }: Props) {
  const order = useOrder(pool, rights.needsReason)
  const list = useRef<HTMLOListElement>(null)
  const [asked, setAsked] = useState<PoolMap | null>(null)
  const [dragged, setDragged] = useState<string | null>(null)
  const [over, setOver] = useState<string | null>(null)
  // A line that has moved in the page would lose the focus.
  const focused = useRef<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the order
  useEffect(() => {
    if (focused.current === null) return
    list.current?.querySelector<HTMLElement>(`[data-control="${focused.current}"]`)?.focus()
    focused.current = null
  }, [order.maps])
  const move = (guid: string, to: number) => {
    const active = document.activeElement
    focused.current = active instanceof HTMLElement ? (active.dataset.control ?? null) : null
    order.move(guid, to)
  }
  if (pool.maps.length === 0) return <Empty>{words('poolers.no-maps')}</Empty>
  return (
    <>
      <OrderNotes order={order} />
      <div className={`${styles.line} ${styles.head}`}>
        <span className={styles.place} />
        <span className={styles.cover} />
        <span />
        <NumbersHead />
        {rights.mayChange && <span className={styles.moving} />}
      </div>
      <ol ref={list} className="lines" aria-busy={order.isSending}>
        {order.maps.map((each, at) => (
          <MapLine
            key={each.guid}
            of={each}
            at={at}
            count={order.maps.length}
            isOpen={open === each.guid}
            mayMove={rights.mayChange}
            isPublic={pool.status !== 'draft' && each.releasedAt !== null}
            move={move}
            ask={() => setAsked(each)}
            isOver={over === each.guid && dragged !== each.guid}
            drag={{
              start: () => setDragged(each.guid),
              over: () => dragged !== null && setOver(each.guid),
              drop: () => dragged !== null && move(dragged, at),
              end: () => {
                setDragged(null)
                setOver(null)
              },
            }}
          />
        ))}
      </ol>
      {asked !== null && (
        <PlaceDialog
          of={asked}
          count={order.maps.length}
          at={order.maps.findIndex(({ guid }) => guid === asked.guid)}
          move={(to) => {
            setAsked(null)
            order.move(asked.guid, to)
          }}
          close={() => setAsked(null)}
        />
      )}
    </>
  )
}

/** What became of moves: refused, overtaken by those of others, or waiting to be saved. */
function OrderNotes({ order }: { readonly order: Order }) {
  const form = useForm({ key: null, saved: { reason: '' } })
  if (order.lost !== null) {
    return (
      <div className="notice notice-warning" role="alert">
        <p className="push">{words('poolers.move-lost', { name: order.lost.name })}</p>
        <button type="button" className="btn" onClick={order.again}>
          {words('poolers.move-again')}
        </button>
      </div>
    )
  }
  if (order.isWaiting) {
    return (
      <Form error={order.error} isChanged className={styles.note} onSubmit={() => order.save(form.values.reason)}>
        <p>{words('poolers.order-waits')}</p>
        <TextField
          form={form}
          name="reason"
          label={words('poolers.reason')}
          hint={words('poolers.reason-hint')}
          isRequired
          maxLength={300}
        />
        <Save isSending={order.isSending}>{words('poolers.save-order')}</Save>
        <button type="button" className="btn" onClick={order.discard}>
          {words('settings.discard')}
        </button>
      </Form>
    )
  }
  if (order.error !== null) return <Failure error={order.error} again={order.again} />
  return null
}

interface LineProps {
  readonly of: PoolMap
  readonly at: number
  readonly count: number
  readonly isOpen: boolean
  readonly isOver: boolean
  readonly mayMove: boolean
  /** Whether everybody sees the map. */
  readonly isPublic: boolean
  readonly move: (guid: string, to: number) => void
  readonly ask: () => void
  readonly drag: {
    readonly start: () => void
    readonly over: () => void
    readonly drop: () => void
    readonly end: () => void
  }
}

function MapLine({ of, at, count, isOpen, isOver, mayMove, isPublic, move, ask, drag }: LineProps) {
  const { guid, map, flair, isTiebreaker, releaseAt, releasedAt, warnings = [], modifiers } = of
  const name = mapName(map)
  const steps = { ArrowUp: -1, ArrowDown: 1 } as const
  const press = (event: KeyboardEvent) => {
    if (!event.altKey || !(event.key in steps)) return
    event.preventDefault()
    move(guid, at + steps[event.key as keyof typeof steps])
  }
  return (
    <li
      className={`${styles.line} ${isOpen ? styles.open : ''} ${isOver ? styles.over : ''}`}
      {...(mayMove && { draggable: true, onKeyDown: press })}
      onDragStart={drag.start}
      onDragOver={(event) => {
        event.preventDefault()
        drag.over()
      }}
      onDrop={(event) => {
        event.preventDefault()
        drag.drop()
      }}
      onDragEnd={drag.end}
    >
      <span className={`num ${styles.place}`}>{at + 1}</span>
      <Cover map={map} isPublic={isPublic} />
      <span className={styles.what}>
        <Link
          from="/manage/$tournament/pools/$pool"
          to="."
          search={(before) => ({ ...before, open: guid })}
          className="plain"
          data-control={`open-${guid}`}
          resetScroll={false}
          {...(isOpen && { 'aria-current': 'true' as const })}
        >
          <MapTitle map={map} />
        </Link>
        <span className={`small ${styles.marks}`}>
          <FlairName flair={flair} />
          {isTiebreaker && <b>{words('maps.count-tiebreaker')}</b>}
          {modifiers.length > 0 && <span className="muted">{modifiers.join(', ')}</span>}
          {releaseAt !== null && releasedAt === null && (
            <span className="muted">
              {words('poolers.appears')} <Instant at={releaseAt} />
            </span>
          )}
          {warnings.map((code) => (
            <State key={code} shape="problem" tone="warning">
              {words(`poolers.short-${code}`)}
            </State>
          ))}
        </span>
      </span>
      <MapNumbers map={map} />
      {mayMove && (
        <span className={styles.moves}>
          {(['up', 'down'] as const).map((way) => {
            const to = way === 'up' ? at - 1 : at + 1
            const isEnd = to < 0 || to >= count
            return (
              <button
                key={way}
                type="button"
                className="btn btn-quiet btn-icon"
                data-control={`${way}-${guid}`}
                aria-label={words(`poolers.move-${way}`, { name })}
                title={words(`poolers.${way}`)}
                aria-disabled={isEnd}
                onClick={() => isEnd || move(guid, to)}
              >
                <Icon name={way} />
              </button>
            )
          })}
          <button
            type="button"
            className="btn btn-quiet"
            data-control={`to-${guid}`}
            aria-label={words('poolers.move-to', { name })}
            onClick={ask}
          >
            {words('poolers.to')}
          </button>
        </span>
      )}
    </li>
  )
}

interface PlaceProps {
  readonly of: PoolMap
  readonly at: number
  readonly count: number
  readonly move: (to: number) => void
  readonly close: () => void
}

function PlaceDialog({ of: { map }, at, count, move, close }: PlaceProps) {
  const [place, setPlace] = useState(String(at + 1))
  return (
    <Dialog title={words('poolers.move-title', { name: mapName(map) })} close={close}>
      <Form onSubmit={() => move(Number(place) - 1)}>
        <label className="field">
          <span className="strong">{words('poolers.new-place', { count })}</span>
          <input
            className="in num"
            type="number"
            min={1}
            max={count}
            step={1}
            required
            value={place}
            onChange={({ target }) => setPlace(target.value)}
          />
        </label>
        <div className="btns">
          <button type="submit" className="btn btn-primary">
            {words('poolers.move')}
          </button>
          <button type="button" className="btn" onClick={() => move(0)}>
            {words('poolers.to-top')}
          </button>
          <button type="button" className="btn" onClick={() => move(count - 1)}>
            {words('poolers.to-end')}
          </button>
        </div>
      </Form>
    </Dialog>
  )
}
