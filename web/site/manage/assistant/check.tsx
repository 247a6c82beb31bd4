import { useState } from 'react'
import type { AssistantLink } from '../../../../client/generated.ts'
import type { AssistantLinkTest } from '../../data/generated.ts'
import { useMay, useTournamentId } from '../../data/tournament.ts'
import { type WordId, words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { StateIcon } from '../../parts/icon.tsx'
import { Failure } from '../../parts/loaded.tsx'
import { State } from '../../parts/state.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './assistant.module.css'
import { offer } from './offer.ts'
import { linkAddress } from './page.tsx'

/** The state of the link: whether it works, since when it does not and what to do, and what may be done at the assistant. */

const states = {
  untested: ['waiting'],
  ok: ['done', 'run'],
  lacking: ['problem', 'warning'],
  failing: ['problem', 'alert'],
} as const

export function Check({ link }: { readonly link: AssistantLink }) {
  const { status, host, port, tls, assistantTournament, tokenKind, actsAs, enabled } = link
  const tournament = useTournamentId()
  const may = useMay()
  const [result, setResult] = useState<AssistantLinkTest | null>(null)
  const test = useWrite('POST /tournaments/{tournament}/assistant/test', (known, found) => {
    setResult(found)
    offer(tournament, found)
    known.renew(linkAddress(tournament))
  })
  // It connects, and still plays no match.
  const isLacking = status.state === 'ok' && status.missingPermissions.some((name) => needed.includes(lastOf(name)))
  const state = isLacking ? 'lacking' : status.state
  const [shape, tone] = states[state]
  return (
    <>
      <div className={styles.status}>
        <State shape={enabled ? shape : 'off'} {...(enabled && tone !== undefined ? { tone } : { tone: 'quiet' })}>
          {words(enabled ? `assistant.state-${state}` : 'assistant.state-off')}
        </State>
        {status.state === 'failing' && status.lastError !== null && (
          <span>
            {words('assistant.since')} <Instant at={status.lastError.at} />
          </span>
        )}
        {may('assistant.test') && (
          <button
            type="button"
            className="btn"
            aria-disabled={test.isSending}
            onClick={() => void test.send({ params: { tournament } })}
          >
            {words(test.isSending ? 'assistant.testing' : 'assistant.test')}
          </button>
        )}
      </div>
      {test.error !== null && <Failure error={test.error} again={test.again} isTrying={test.isSending} />}
      {status.state === 'failing' && status.lastError !== null && (
        <div className="notice notice-alert">
          <p>
            <bdi>{status.lastError.message}</bdi> {doText(status.lastError.code)}
          </p>
        </div>
      )}
      <p role="status">
        {result !== null &&
          (result.ok
            ? words('assistant.tested', {
                seconds: (result.durationMs / 1_000).toFixed(1),
                version: result.serverVersion,
              })
            : words('assistant.test-failed'))}
      </p>
      <dl className="facts">
        <dt>{words('assistant.where')}</dt>
        <dd>
          <bdi className="code">{`${tls ? 'wss' : 'ws'}://${host}:${port}`}</bdi>
        </dd>
        <dt>{words('assistant.there')}</dt>
        <dd>
          <bdi>{assistantTournament.name || assistantTournament.guid}</bdi>
        </dd>
        <dt>{words('assistant.as')}</dt>
        <dd>
          {words(`assistant.kind-${tokenKind}`)}
          {tokenKind === 'own' && (
            <>
              {': '}
              <bdi>{actsAs === null ? words('assistant.nobody') : actsAs.preferredName}</bdi>
            </>
          )}
        </dd>
        <dt>{words('assistant.last')}</dt>
        <dd>
          {status.lastConnectedAt === null ? words('assistant.never') : <Instant at={status.lastConnectedAt} />}
          {status.serverVersion !== null && (
            <span className="muted"> {words('assistant.version', { version: status.serverVersion })}</span>
          )}
        </dd>
      </dl>
      {status.lastConnectedAt !== null && <Permissions link={link} />}
    </>
  )
}

/** What helps, where the words of the failure do not say all. */
function doText(code: string): string {
  const known = ['assistant.permission', 'assistant.actor_lost', 'assistant.unauthorised', 'assistant.unreachable']
  return known.includes(code) ? words(`assistant.do-${code.slice('assistant.'.length)}` as WordId) : ''
}

const needed = [
  'join',
  'create_match',
  'add_user_to_match',
  'set_match_leader',
  'set_match_map',
  'load_song',
  'play_song',
  'return_to_menu',
]
const described = new Set([
  ...needed,
  ...['show_prompt', 'play_with_stream_sync', 'modify_gameplay', 'delete_match', 'get_qualifier_scores'],
  ...['see_hidden_qualifier_scores', 'refund_attempts', 'add_maps', 'add_pool', 'add_pool_maps'],
])
const lastOf = (permission: string) => permission.split(':').at(-1) ?? permission

/** Missing ones first: without which nothing is played, then what is left out without the others. */
function Permissions({ link: { status } }: { readonly link: AssistantLink }) {
  const { missingPermissions, permissions } = status
  const order = (names: readonly string[]) =>
    names.toSorted((one, other) => Number(needed.includes(lastOf(other))) - Number(needed.includes(lastOf(one))))
  const missing = order(missingPermissions)
  return (
    <div className={styles.permissions}>
      <h3>{words('assistant.permissions')}</h3>
      {missing.length === 0 ? (
        <p>
          <State shape="done" tone="run">
            {words('assistant.all-held', { count: permissions.length })}
          </State>
        </p>
      ) : (
        <>
          <p>{words('assistant.missing', { count: missing.length })}</p>
          <ul className="lines">
            {missing.map((name) => {
              const isNeeded = needed.includes(lastOf(name))
              return (
                <li key={name} className={isNeeded ? styles.error : ''}>
                  <StateIcon name={isNeeded ? 'problem' : 'off'} />
                  <span>
                    {words(isNeeded ? 'assistant.is-needed' : 'assistant.is-wished')}{' '}
                    {described.has(lastOf(name)) && words(`assistant.may-${lastOf(name)}` as WordId)}{' '}
                    <bdi className="code">{name}</bdi>
                  </span>
                </li>
              )
            })}
          </ul>
          <p className="muted">{words('assistant.grant')}</p>
        </>
      )}
    </div>
  )
}
