import type { Pool, Suggestion } from '../../../../client/generated.ts'
import { type Address, address } from '../../data/api.ts'
import { useRead, useRenewal } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { type Known, useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { CheckField, SelectField, TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Failure, Loaded } from '../../parts/loaded.tsx'
import { mapName } from '../../parts/map.tsx'
import { Ago } from '../../parts/time.tsx'
import { usePools } from '../map-reads.ts'
import { SuggestionComments } from './comments.tsx'
import { Detail } from './detail.tsx'
import { isPublicElsewhere, UsedList } from './map-line.tsx'
import styles from './pools.module.css'
import { poolAddress, type Rights, type Suggestions, useFlairs, useOwnGuid } from './reads.ts'
import { Voters } from './voters.tsx'
import { noteVote, SuggestionVote } from './votes.tsx'

/** One suggestion: why, what poolers think and say of it, and its way into a pool. */

interface Props {
  readonly of: Suggestion
  /** The list that it is in. */
  readonly at: Address<Suggestions>
  readonly pool: Pool
  readonly rights: Rights
}

export function SuggestionDetail(props: Props) {
  const { of, at, rights } = props
  const { map, note, suggestedBy, createdAt, status, reason, decidedBy, usedBefore = [], plays } = of
  const own = useOwnGuid()
  return (
    <Detail map={map} isPublic={isPublicElsewhere(usedBefore)}>
      <p className="small muted">
        {words('poolers.suggested-by')} <bdi>{suggestedBy.preferredName}</bdi> <Ago at={createdAt} />
        {plays === true && <>. {words('poolers.plays')}</>}
      </p>
      {note !== null && (
        <p className={styles.text} dir="auto">
          {note}
        </p>
      )}
      {status !== 'open' && (
        <p className="notice">
          <span>
            {words(`poolers.was-${status}`)} {decidedBy !== null && <bdi>{decidedBy.preferredName}</bdi>}
            {reason !== null && (
              <>
                {': '}
                <bdi>{reason}</bdi>
              </>
            )}
          </span>
        </p>
      )}
      <UsedList used={usedBefore} />
      <Votes of={of} at={at} />
      {status === 'open' && rights.isHead && <Accept {...props} />}
      <SuggestionComments guid={of.guid} />
      <div className={`btns ${styles.acts}`}>
        {status === 'open' && rights.isHead && <Reject {...props} />}
        {status === 'open' && suggestedBy.guid === own && <Withdraw {...props} />}
        {(status === 'rejected' || status === 'withdrawn') && rights.isHead && <Reopen {...props} />}
      </div>
    </Detail>
  )
}

function Votes({ of: { guid, map, status, tally, myVote }, at: list }: Pick<Props, 'of' | 'at'>) {
  const tournament = useTournamentId()
  const at = address('/tournaments/{tournament}/suggestions/{suggestion}/vote', { tournament, suggestion: guid })
  const read = useRead(at)
  // The list is followed: where its counts change, somebody has voted.
  useRenewal(at, JSON.stringify([tally, myVote]))
  return (
    <>
      <h3>{words('poolers.votes')}</h3>
      <Loaded of={read} rows={1}>
        {(votes) => (
          <>
            {status === 'open' && (
              <SuggestionVote
                guid={guid}
                name={mapName(map)}
                myVote={myVote}
                tally={tally}
                done={(known, reply) => noteVote(known, list, guid, reply)}
              />
            )}
            <Voters votes={votes.votes} tally={votes.tally} />
          </>
        )}
      </Loaded>
    </>
  )
}

/** The suggestion is no longer among those that the list has. */
const leave = (at: Props['at'], guid: string) => (known: Known) => {
  known.change(at, (before) => ({ ...before, suggestions: before.suggestions.filter((each) => each.guid !== guid) }))
  known.renew(at.split('?')[0] ?? at)
}

function Accept({ of, at, pool, rights }: Props) {
  const tournament = useTournamentId()
  const flairs = useFlairs()
  const pools = (usePools().data ?? []).filter(({ status }) => status !== 'archived')
  const target = of.targetPool ?? pool.guid
  const form = useForm({
    key: `accept-${of.guid}`,
    saved: {
      pool: pools.some(({ guid }) => guid === target) ? target : pool.guid,
      flair: of.targetFlair ?? '',
      isTiebreaker: false,
      reason: '',
    },
  })
  const accept = useWrite('POST /tournaments/{tournament}/suggestions/{suggestion}/accept', (known, _reply, sent) => {
    form.take()
    leave(at, of.guid)(known)
    known.renew(poolAddress(tournament, sent.body && 'poolGuid' in sent.body ? (sent.body.poolGuid ?? '') : ''))
  })
  const { values } = form
  const isPublished = pools.find(({ guid }) => guid === values.pool)?.status === 'published'
  if (!rights.isHead) return null
  return (
    <>
      <h3>{words('poolers.take-over')}</h3>
      <Form
        className={styles.form}
        error={accept.error}
        onSubmit={() =>
          accept.send({
            params: { tournament, suggestion: of.guid },
            body: {
              poolGuid: values.pool,
              flairGuid: values.flair === '' ? null : values.flair,
              isTiebreaker: values.isTiebreaker,
              ...(isPublished && { reason: values.reason }),
            },
          })
        }
      >
        <SelectField
          form={form}
          name="pool"
          label={words('poolers.into')}
          options={pools.map(({ guid, name }) => [guid, name] as const)}
        />
        <SelectField
          form={form}
          name="flair"
          label={words('maps.flair')}
          options={[['', words('poolers.no-flair')], ...flairs.map(({ guid, name }) => [guid, name] as const)]}
        />
        <CheckField form={form} name="isTiebreaker" label={words('poolers.is-tiebreaker')} />
        {isPublished && (
          <TextField
            form={form}
            name="reason"
            label={words('poolers.reason')}
            hint={words('poolers.reason-hint')}
            isRequired
            maxLength={300}
          />
        )}
        <Save isSending={accept.isSending}>{words('poolers.accept')}</Save>
      </Form>
    </>
  )
}

function Reject({ of, at }: Props) {
  const tournament = useTournamentId()
  const form = useForm({ key: `reject-${of.guid}`, saved: { reason: '' } })
  const reject = useWrite('POST /tournaments/{tournament}/suggestions/{suggestion}/reject', (known) => {
    form.take()
    leave(at, of.guid)(known)
  })
  return (
    <Danger
      label={words('poolers.reject')}
      title={words('poolers.reject-title', { name: mapName(of.map) })}
      error={reject.error}
      isSending={reject.isSending}
      isReady={form.values.reason.trim() !== ''}
      act={() =>
        reject.send({ params: { tournament, suggestion: of.guid }, body: { reason: form.values.reason.trim() } })
      }
    >
      <p>{words('poolers.reject-text', { name: of.suggestedBy.preferredName })}</p>
      <TextField form={form} name="reason" label={words('poolers.why')} isRequired maxLength={300} />
    </Danger>
  )
}

function Withdraw({ of, at }: Props) {
  const tournament = useTournamentId()
  const withdraw = useWrite('POST /tournaments/{tournament}/suggestions/{suggestion}/withdraw', leave(at, of.guid))
  return (
    <Danger
      label={words('poolers.withdraw')}
      title={words('poolers.withdraw-title', { name: mapName(of.map) })}
      error={withdraw.error}
      isSending={withdraw.isSending}
      act={() => withdraw.send({ params: { tournament, suggestion: of.guid } })}
    >
      <p>{words('poolers.withdraw-text')}</p>
    </Danger>
  )
}

function Reopen({ of, at }: Props) {
  const tournament = useTournamentId()
  const reopen = useWrite('POST /tournaments/{tournament}/suggestions/{suggestion}/reopen', leave(at, of.guid))
  const send = () => void reopen.send({ params: { tournament, suggestion: of.guid } })
  return (
    <>
      <button type="button" className="btn" aria-disabled={reopen.isSending} onClick={send}>
        {words('poolers.reopen')}
      </button>
      {reopen.error !== null && <Failure error={reopen.error} again={send} isTrying={reopen.isSending} />}
    </>
  )
}
