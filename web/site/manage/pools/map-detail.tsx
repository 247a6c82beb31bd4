import type { Pool, PoolMap } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useFacts, useRead } from '../../data/queries.ts'
import { useMay, useTournament, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { CheckField, NumberField, SelectField, TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { InstantField } from '../../parts/form/instant.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { mapName } from '../../parts/map.tsx'
import { poolsAddress } from '../map-reads.ts'
import { PoolMapComments } from './comments.tsx'
import { Detail } from './detail.tsx'
import { UsedList } from './map-line.tsx'
import { Modifiers } from './modifiers.tsx'
import styles from './pools.module.css'
import { poolAddress, type Rights, useFlairs } from './reads.ts'
import { Voters } from './voters.tsx'
import { PoolMapVote, TallyOf } from './votes.tsx'

/** One map of a pool: what is set of it, how poolers voted, what they say, and what can be done with it. */

interface Props {
  readonly pool: Pool
  readonly of: PoolMap
  readonly rights: Rights
}

export function MapDetail({ pool, of, rights }: Props) {
  const may = useMay()
  const { map, addedBy, usedBefore = [] } = of
  const isPooler = may('poolMaps.comment')
  return (
    <Detail map={map} isPublic={pool.status !== 'draft' && of.releasedAt !== null}>
      {addedBy && (
        <p className="small muted">
          {words('poolers.added-by')} <bdi>{addedBy.preferredName}</bdi>
        </p>
      )}
      {of.warnings?.includes('map_outdated') && <Renew pool={pool} of={of} rights={rights} />}
      <UsedList used={usedBefore} />
      {isPooler && <Vote pool={pool} of={of} />}
      {isPooler && <Settings key={of.guid} pool={pool} of={of} rights={rights} />}
      {isPooler && <PoolMapComments pool={pool.guid} guid={of.guid} />}
      {rights.mayChange && <Remove pool={pool} of={of} rights={rights} />}
    </Detail>
  )
}

function Vote({ pool, of }: Omit<Props, 'rights'>) {
  const tournament = useTournamentId()
  const params = { tournament, pool: pool.guid, poolMap: of.guid }
  const at = address('/tournaments/{tournament}/pools/{pool}/maps/{poolMap}/vote', params)
  const read = useRead(at)
  useFacts(address('/tournaments/{tournament}/pools/{pool}/maps/{poolMap}/comments', params), read.refetch)
  const name = mapName(of.map)
  return (
    <>
      <h3>{words('poolers.votes')}</h3>
      <Loaded of={read} rows={1}>
        {({ myVote, tally, votes }) => (
          <>
            {pool.status === 'draft' ? (
              <PoolMapVote
                pool={pool.guid}
                guid={of.guid}
                name={name}
                myVote={myVote}
                tally={tally}
                done={(known, reply) => (reply === null ? void read.refetch() : known.put(at, reply))}
              />
            ) : (
              tally !== null && <TallyOf tally={tally} />
            )}
            <Voters votes={votes} tally={tally} />
          </>
        )}
      </Loaded>
    </>
  )
}

function Settings({ pool, of, rights }: Props) {
  const tournament = useTournamentId()
  const zone = useTournament().data?.timezone ?? 'UTC'
  const flairs = useFlairs()
  const form = useForm({
    key: `pool-map-${of.guid}`,
    saved: {
      flair: of.flair?.guid ?? '',
      isTiebreaker: of.isTiebreaker,
      modifiers: of.modifiers,
      attempts: of.attempts,
      weight: of.weight as number | null,
      note: of.note ?? '',
      releaseAt: of.releaseAt,
      staffNote: of.staffNote ?? '',
      reason: '',
    },
  })
  const edit = useWrite('PATCH /tournaments/{tournament}/pools/{pool}/maps/{poolMap}', (known, reply) => {
    form.take()
    known.change(poolAddress(tournament, pool.guid), (before) => ({
      ...before,
      maps: before.maps.map((each) => (each.guid === of.guid ? reply : each)),
    }))
    known.renew(poolAddress(tournament, pool.guid))
  })
  const { reason, ...others } = form.changed
  const isPublic = Object.keys(others).some((name) => name !== 'staffNote')
  const submit = () => {
    const { flair, weight, note, staffNote, ...rest } = others
    return edit.send({
      params: { tournament, pool: pool.guid, poolMap: of.guid },
      body: {
        ...rest,
        ...(flair !== undefined && { flairGuid: flair === '' ? null : flair }),
        ...(typeof weight === 'number' && { weight }),
        ...(note !== undefined && { note: note === '' ? null : note }),
        ...(staffNote !== undefined && { staffNote: staffNote === '' ? null : staffNote }),
        ...(rights.needsReason && isPublic && { reason: reason ?? '' }),
      },
    })
  }
  return (
    <>
      <h3>{words('poolers.settings')}</h3>
      <Form className={styles.form} error={edit.error} isChanged={Object.keys(others).length > 0} onSubmit={submit}>
        {rights.mayChange && (
          <>
            <SelectField
              form={form}
              name="flair"
              label={words('maps.flair')}
              options={[['', words('poolers.no-flair')], ...flairs.map(({ guid, name }) => [guid, name] as const)]}
            />
            <CheckField form={form} name="isTiebreaker" label={words('poolers.is-tiebreaker')} />
            <TextField form={form} name="note" label={words('poolers.note')} maxLength={300} />
            <details>
              <summary>{words('poolers.more-settings')}</summary>
              <div className={`stack ${styles.form}`}>
                <Modifiers chosen={form.values.modifiers} choose={(modifiers) => form.set('modifiers', modifiers)} />
                <InstantField
                  form={form}
                  name="releaseAt"
                  label={words('poolers.release')}
                  hint={words('poolers.release-hint')}
                  zone={zone}
                />
                <NumberField form={form} name="attempts" label={words('poolers.attempts')} min={0} max={100} />
                <NumberField form={form} name="weight" label={words('qualifier.weight')} min={1} max={1000} />
              </div>
            </details>
          </>
        )}
        <TextField form={form} name="staffNote" label={words('poolers.staff-note')} rows={2} maxLength={1_000} />
        {rights.needsReason && isPublic && (
          <TextField
            form={form}
            name="reason"
            label={words('poolers.reason')}
            hint={words('poolers.reason-hint')}
            isRequired
            maxLength={300}
          />
        )}
        <Save
          isSending={edit.isSending}
          isSaved={edit.isDone && Object.keys(others).length === 0}
          isDisabled={Object.keys(others).length === 0}
        >
          {words('form.save')}
        </Save>
      </Form>
    </>
  )
}

/** The version that the catalogue publishes now, in the place of the one that it no longer does. */
function Renew({ pool, of, rights }: Props) {
  const tournament = useTournamentId()
  const { currentHash, difficulty, characteristic } = of.map
  const form = useForm({ key: null, saved: { reason: '' } })
  const replace = useWrite('POST /tournaments/{tournament}/pools/{pool}/maps/{poolMap}/replace', (known) =>
    known.renew(poolAddress(tournament, pool.guid)),
  )
  if (currentHash === null || !rights.mayChange) return null
  const params = { tournament, pool: pool.guid, poolMap: of.guid }
  const body = { ref: currentHash, difficulty, characteristic }
  return (
    <Form
      className="notice notice-warning"
      error={replace.error}
      onSubmit={() =>
        replace.send({ params, body: { ...body, ...(rights.needsReason && { reason: form.values.reason }) } })
      }
    >
      <p>{words('poolers.outdated-hint')}</p>
      {rights.needsReason && (
        <TextField form={form} name="reason" label={words('poolers.reason')} isRequired maxLength={300} />
      )}
      <button type="submit" className="btn" aria-disabled={replace.isSending}>
        {words('poolers.take-new-version')}
      </button>
    </Form>
  )
}

function Remove({ pool, of, rights }: Props) {
  const tournament = useTournamentId()
  const form = useForm({ key: null, saved: { reason: '' } })
  const remove = useWrite('DELETE /tournaments/{tournament}/pools/{pool}/maps/{poolMap}', (known) => {
    known.change(poolAddress(tournament, pool.guid), (before) => ({
      ...before,
      maps: before.maps.filter(({ guid }) => guid !== of.guid),
    }))
    known.renew(poolsAddress(tournament))
  })
  const name = mapName(of.map)
  return (
    <div className={styles.acts}>
      <Danger
        label={words('poolers.take-out')}
        title={words('poolers.take-out-title', { name })}
        error={remove.error}
        isSending={remove.isSending}
        act={() =>
          remove.send({
            params: { tournament, pool: pool.guid, poolMap: of.guid },
            ...(rights.needsReason && { body: { reason: form.values.reason } }),
          })
        }
      >
        <p>{words(rights.needsReason ? 'poolers.take-out-public' : 'poolers.take-out-text')}</p>
        {rights.needsReason && (
          <TextField
            form={form}
            name="reason"
            label={words('poolers.reason')}
            hint={words('poolers.reason-hint')}
            isRequired
            maxLength={300}
          />
        )}
      </Danger>
    </div>
  )
}
