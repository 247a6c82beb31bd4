import type { TournamentWithParts } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import type { VisibilityOverview } from '../../data/generated.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Form } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './visibility.module.css'

/** The choice of platforms. Those that are chosen are asked; requests to all others are withdrawn. */

type Line = VisibilityOverview['platforms'][number]

interface Props {
  readonly tournament: TournamentWithParts
  readonly overview: VisibilityOverview
  /** Whether the reader may choose. */
  readonly isMine: boolean
}

interface Values {
  readonly scope: VisibilityOverview['scope']
  readonly chosen: readonly string[]
}

const isAsked = ({ platform, request }: Line) =>
  platform.isSystem || (request !== null && request.status !== 'withdrawn')

export function PlatformForm({ tournament: { id, guid, status }, overview, isMine }: Props) {
  const { platforms, scope } = overview
  const saved: Values = { scope, chosen: platforms.filter(isAsked).map(({ platform }) => platform.guid) }
  const form = useForm({ key: `visibility-${guid}`, saved })
  const choose = useWrite('PUT /tournaments/{tournament}/visibility', (known, reply) => {
    form.take()
    known.put(address('/tournaments/{tournament}/visibility', { tournament: id }), reply)
    known.renew(`/tournaments/${id}?`)
  })
  const { values } = form
  const wants = ({ platform }: Line) => values.scope === 'all' || values.chosen.includes(platform.guid)
  // A request that waits, or that was approved, needs no other one.
  const asks = platforms.filter(
    (line) => wants(line) && line.canRequest && !['pending', 'approved'].includes(line.request?.status ?? ''),
  )
  const withdraws = platforms.filter(
    (line) => !wants(line) && line.request !== null && !['withdrawn', 'blocked'].includes(line.request.status),
  )
  const isActive = status === 'draft' || status === 'approved' || status === 'ongoing'
  const toggle = (platform: string) =>
    form.set(
      'chosen',
      platforms
        .map(({ platform: each }) => each.guid)
        .filter((each) => (each === platform) !== values.chosen.includes(each)),
    )
  const submit = () =>
    choose.send({ params: { tournament: guid }, body: { scope: values.scope, platformGuids: values.chosen } })
  const names = (lines: readonly Line[]) => lines.map(({ platform }) => platform.name).join(', ')
  const isAgain = asks.some(({ request }) => request?.status === 'rejected')
  const isIdle = asks.length + withdraws.length === 0 && values.scope === scope
  return (
    <Form error={choose.error} isChanged={form.isChanged} onSubmit={submit}>
      <fieldset disabled={!isMine || !isActive} className="stack">
        <Section title={words('visibility.scope')}>
          {(['selected', 'all'] as const).map((each) => (
            <label key={each} className="choice">
              <input
                type="radio"
                name="scope"
                checked={values.scope === each}
                onChange={() => form.set('scope', each)}
              />
              {words(`visibility.scope-${each}`)}
            </label>
          ))}
        </Section>
        <Section title={words('visibility.platforms')}>
          <ul className="lines">
            {platforms.map((line) => (
              <PlatformLine
                key={line.platform.guid}
                line={line}
                isChosen={wants(line)}
                isFixed={line.platform.isSystem || values.scope === 'all'}
                isBlocked={overview.blocked.includes(line.platform.guid)}
                toggle={() => toggle(line.platform.guid)}
              />
            ))}
          </ul>
        </Section>
      </fieldset>
      <div className="stack">
        {isActive && isAgain && <p>{words('visibility.again')}</p>}
        {isActive && asks.length > 0 && <p>{words('visibility.asks', { names: names(asks) })}</p>}
        {isActive && isIdle && status === 'draft' && <p className="muted">{words('visibility.waits')}</p>}
        {isActive && withdraws.length > 0 && (
          <p className="notice notice-warning">{words('visibility.withdraws', { names: names(withdraws) })}</p>
        )}
        {isActive ? (
          <div className="btns">
            <button
              type="submit"
              className="btn btn-primary"
              aria-disabled={!isMine || !isActive || isIdle || choose.isSending}
            >
              {isAgain && withdraws.length === 0
                ? words('visibility.do-again')
                : words('visibility.do', { asks: asks.length, withdraws: withdraws.length })}
            </button>
            <span role="status" className="muted">
              {choose.isSending ? words('form.saving') : choose.isDone && !form.isChanged ? words('form.saved') : ''}
            </span>
          </div>
        ) : (
          <p className="muted">{words('visibility.over')}</p>
        )}
      </div>
    </Form>
  )
}

const shapes = {
  pending: 'waiting',
  approved: 'done',
  rejected: 'problem',
  blocked: 'problem',
  withdrawn: 'off',
} as const

interface LineProps {
  readonly line: Line
  readonly isChosen: boolean
  readonly isFixed: boolean
  readonly isBlocked: boolean
  readonly toggle: () => void
}

function PlatformLine({ line: { platform, request }, isChosen, isFixed, isBlocked, toggle }: LineProps) {
  return (
    <li className={styles.line}>
      <label className="choice">
        <input type="checkbox" checked={isChosen} disabled={isFixed || isBlocked} onChange={toggle} />
        <span>
          <bdi className="strong">{platform.name}</bdi>
          {platform.isSystem && <span className="muted small"> {words('visibility.main')}</span>}
        </span>
      </label>
      <div>
        {request === null ? (
          <span className="muted">{words('visibility.never')}</span>
        ) : (
          <>
            <State
              shape={shapes[request.status]}
              tone={request.status === 'rejected' || request.status === 'blocked' ? 'alert' : 'quiet'}
            >
              {words(`visibility.${request.status}`)}
            </State>{' '}
            <span className="muted small">
              <Instant at={request.decidedAt ?? request.requestedAt} />
            </span>
            {request.reason !== null && (
              <p dir="auto" className={styles.reason}>
                {request.reason}
              </p>
            )}
          </>
        )}
      </div>
    </li>
  )
}
