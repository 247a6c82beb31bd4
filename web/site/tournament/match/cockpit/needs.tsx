import type { FlowProposal, FlowState, FlowWarning } from '../../../../../client/generated.ts'
import { type WordId, words } from '../../../data/words.ts'
import { Section } from '../../../parts/section.tsx'
import { State } from '../../../parts/state.tsx'
import { Instant } from '../../../parts/time.tsx'
import styles from './cockpit.module.css'
import { nameOfSeat, type Table } from './ops.ts'
import { Reasoned } from './reasoned.tsx'

/** What the referee has to decide: warnings, claims, penalties that are proposed, and why the session does not go on. */
export function Needs(table: Table) {
  const { session } = table
  const claims = session.claims.filter(({ status }) => status === 'open')
  const { warnings, proposals, stuck } = session
  const isOn = session.status === 'running' || session.status === 'paused'
  const count = countOf(session)
  if (!isOn) return null
  return (
    <Section
      title={<span id="needs">{words('cockpit.needs')}</span>}
      beside={
        count === 0 ? (
          <span className="muted">{words('cockpit.nothing')}</span>
        ) : (
          <State
            shape="problem"
            tone={warnings.some(({ blocking }) => blocking) || stuck !== null ? 'alert' : 'warning'}
          >
            {String(count)}
          </State>
        )
      }
    >
      {count > 0 && (
        <ul className={styles.needs}>
          {stuck !== null && (
            <li className="notice notice-warning">
              <div>
                <p className="strong">{words(`play.stuck-${stuck}` as WordId)}</p>
                <p>{words(`cockpit.way-${stuck}` as WordId)}</p>
              </div>
            </li>
          )}
          {warnings.map((warning) => (
            <Warning key={warning.guid} {...table} warning={warning} />
          ))}
          {claims.map(({ guid, seat, game, reason, at, user }) => (
            <li key={guid} className="notice">
              <div className="push">
                <p className="strong">
                  <bdi>{words('cockpit.claim', { team: nameOfSeat(session, seat), game })}</bdi>
                </p>
                <p className="small muted">
                  <Instant at={at} as="time" />
                  {user !== null && (
                    <>
                      , <bdi>{table.view.people.nameOf(user)}</bdi>
                    </>
                  )}
                  {reason !== null && (
                    <>
                      : <bdi>{reason}</bdi>
                    </>
                  )}
                </p>
              </div>
              <button
                type="button"
                className="btn"
                aria-disabled={table.ops.isSending}
                onClick={() => void table.ops.send('cancel', {}, { claim: guid })}
              >
                {words('cockpit.cancel-claim')}
              </button>
            </li>
          ))}
          {proposals.map((proposal) => (
            <Proposal key={proposal.guid} {...table} proposal={proposal} />
          ))}
        </ul>
      )}
    </Section>
  )
}

/** How many decisions are open. */
export function countOf({ claims, warnings, proposals, stuck }: FlowState): number {
  const open = claims.filter(({ status }) => status === 'open').length
  return warnings.length + open + proposals.length + (stuck === null ? 0 : 1)
}

function Warning({ warning, ...table }: Table & { readonly warning: FlowWarning }) {
  const { view, session, ops } = table
  const { code, blocking, seat, game, user, name } = warning
  const who =
    user === null ? (name ?? nameOfSeat(session, seat)) : (view.people.nameOf(user) ?? words('cockpit.somebody'))
  return (
    <li className={`notice ${blocking ? 'notice-alert' : 'notice-warning'}`}>
      <div className="push">
        <p className="strong">
          <bdi>{words(`cockpit.warning-${code}`, { who })}</bdi>
        </p>
        <p className="small">
          {game !== null && <>{words('live.game', { game })}. </>}
          {words(blocking ? 'cockpit.holds' : 'cockpit.tells')}
        </p>
      </div>
      <Reasoned
        label={words('cockpit.dismiss')}
        title={words('cockpit.dismiss-title')}
        ops={ops}
        act={(reason) => ops.send('override', { op: 'dismiss', warning: warning.guid, reason })}
      />
    </li>
  )
}

/** Lateness by the rules of the flow: a referee gives the penalty, or leaves it. */
function Proposal({ proposal, ...table }: Table & { readonly proposal: FlowProposal }) {
  const { session, ops } = table
  const { seat, type, minutes } = proposal
  return (
    <li className="notice notice-warning">
      <div className="push">
        <p className="strong">
          <bdi>{words('cockpit.late', { team: nameOfSeat(session, seat), minutes })}</bdi>
        </p>
        <p>
          {words('cockpit.by-rules')} {words(`play.penalty-${type}`, { points: 0 })}
        </p>
      </div>
      <div className="btns">
        <Reasoned
          label={words('cockpit.penalise')}
          title={words('cockpit.penalise-title', { team: nameOfSeat(session, seat) })}
          first={words('cockpit.late-reason', { minutes })}
          ops={ops}
          act={(reason) => ops.send('penalise', { seat, type, reason })}
        />
        <Reasoned
          label={words('cockpit.leave')}
          title={words('cockpit.leave-title')}
          ops={ops}
          act={(reason) => ops.send('override', { op: 'dismiss', warning: proposal.guid, reason })}
        />
      </div>
    </li>
  )
}
