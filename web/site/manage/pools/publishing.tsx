import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Pool } from '../../../../client/generated.ts'
import type { ApiError } from '../../data/api.ts'
import { useTournament, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { type Known, useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField, TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { InstantField } from '../../parts/form/instant.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Failure } from '../../parts/loaded.tsx'
import { poolsAddress } from '../map-reads.ts'
import { Findings } from './findings.tsx'
import { poolAddress } from './reads.ts'

/** The way of a pool to the public and back: now or at a time, with what everybody will see. (W19) */

const usePut = () => {
  const tournament = useTournamentId()
  return (known: Known, pool: Pool) => {
    known.put(poolAddress(tournament, pool.guid), pool)
    known.renew(poolsAddress(tournament))
  }
}

export function Publishing({ pool }: { readonly pool: Pool }) {
  switch (pool.status) {
    case 'draft':
      return <OfDraft pool={pool} />
    case 'published':
      return <OfPublished pool={pool} />
    case 'archived':
      return <Unarchive pool={pool} />
  }
}

function OfDraft({ pool }: { readonly pool: Pool }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Delete pool={pool} />
      <button type="button" className="btn btn-primary" onClick={() => setAsking(true)}>
        {words(pool.publishAt === null ? 'poolers.publish' : 'poolers.replan')}…
      </button>
      {isAsking && <PublishDialog pool={pool} close={() => setAsking(false)} />}
    </>
  )
}

function PublishDialog({ pool, close }: { readonly pool: Pool; readonly close: () => void }) {
  const tournament = useTournamentId()
  const zone = useTournament().data?.timezone ?? 'UTC'
  const put = usePut()
  const publish = useWrite('POST /tournaments/{tournament}/pools/{pool}/publish', (known, reply) => {
    put(known, reply)
    close()
  })
  const form = useForm({
    key: `publish-${pool.guid}`,
    saved: { publishAt: pool.publishAt, force: false },
  })
  const [isLater, setLater] = useState(pool.publishAt !== null)
  const { values } = form
  const failures = pool.failures ?? []
  const isEmpty = pool.maps.length === 0
  const isBlocked = isEmpty || (failures.length > 0 && !values.force)
  const later = pool.maps.filter(({ releaseAt }) => releaseAt !== null).length
  const params = { tournament, pool: pool.guid }
  const submit = async () => {
    const isDone = await publish.send({
      params,
      body: { ...(isLater && { publishAt: values.publishAt ?? '' }), ...(values.force && { force: true }) },
    })
    if (isDone) form.take()
  }
  return (
    <Dialog title={words('poolers.publish-title', { name: pool.name })} close={close}>
      <Form error={publish.error} say={sayOf} onSubmit={submit}>
        <fieldset>
          <legend className="unseen">{words('poolers.when')}</legend>
          {[false, true].map((each) => (
            <label key={String(each)} className="choice">
              <input type="radio" name="when" checked={isLater === each} onChange={() => setLater(each)} />
              {words(each ? 'poolers.later' : 'poolers.now')}
            </label>
          ))}
        </fieldset>
        {isLater && (
          <InstantField form={form} name="publishAt" label={words('poolers.publish-at')} zone={zone} isRequired />
        )}
        <div>
          <p className="strong">{words('poolers.effects')}</p>
          <ul className="lines">
            {isLater && <li>{words('poolers.effect-hidden')}</li>}
            <li>{words('poolers.effect-maps', { count: pool.maps.length - later })}</li>
            {later > 0 && <li>{words('poolers.effect-later', { count: later })}</li>}
            <li>{words('poolers.effect-captains')}</li>
            <li>{words('poolers.effect-votes')}</li>
          </ul>
        </div>
        {failures.length > 0 && (
          <>
            <Findings pool={pool} failures={failures} />
            {!isEmpty && <CheckField form={form} name="force" label={words('poolers.force')} />}
          </>
        )}
        <Save isSending={publish.isSending} isDisabled={isBlocked}>
          {words(isLater ? 'poolers.plan' : 'poolers.publish-now')}
        </Save>
        {pool.publishAt !== null && (
          <button
            type="button"
            className="btn"
            aria-disabled={publish.isSending}
            onClick={() => void publish.send({ params, body: { publishAt: null } })}
          >
            {words('poolers.unplan')}
          </button>
        )}
      </Form>
    </Dialog>
  )
}

const sayOf = (error: ApiError) => (error.code === 'pool.not_ready' ? words('poolers.not-ready') : error.message)

function OfPublished({ pool }: { readonly pool: Pool }) {
  const tournament = useTournamentId()
  const put = usePut()
  const form = useForm({ key: null, saved: { reason: '' } })
  const unpublish = useWrite('POST /tournaments/{tournament}/pools/{pool}/unpublish', put)
  const archive = useWrite('POST /tournaments/{tournament}/pools/{pool}/archive', put)
  const params = { tournament, pool: pool.guid }
  return (
    <>
      <Danger
        label={words('poolers.unpublish')}
        title={words('poolers.unpublish-title', { name: pool.name })}
        error={unpublish.error}
        isSending={unpublish.isSending}
        isReady={form.values.reason.trim() !== ''}
        act={() => unpublish.send({ params, body: { reason: form.values.reason.trim() } })}
      >
        <p>{words('poolers.unpublish-text')}</p>
        <TextField form={form} name="reason" label={words('poolers.why')} isRequired maxLength={300} />
      </Danger>
      <Danger
        label={words('poolers.archive-it')}
        title={words('poolers.archive-title', { name: pool.name })}
        isPlain
        error={archive.error}
        isSending={archive.isSending}
        act={() => archive.send({ params })}
      >
        <p>{words('poolers.archive-text')}</p>
      </Danger>
    </>
  )
}

function Unarchive({ pool }: { readonly pool: Pool }) {
  const tournament = useTournamentId()
  const unarchive = useWrite('POST /tournaments/{tournament}/pools/{pool}/unarchive', usePut())
  const send = () => void unarchive.send({ params: { tournament, pool: pool.guid } })
  return (
    <>
      <button type="button" className="btn" aria-disabled={unarchive.isSending} onClick={send}>
        {words('poolers.unarchive')}
      </button>
      {unarchive.error !== null && <Failure error={unarchive.error} again={send} isTrying={unarchive.isSending} />}
    </>
  )
}

function Delete({ pool }: { readonly pool: Pool }) {
  const tournament = useTournamentId()
  const navigate = useNavigate()
  const remove = useWrite('DELETE /tournaments/{tournament}/pools/{pool}', (known) =>
    known.change(poolsAddress(tournament), (pools) => pools.filter(({ guid }) => guid !== pool.guid)),
  )
  return (
    <Danger
      label={words('poolers.delete')}
      title={words('poolers.delete-title', { name: pool.name })}
      typed={pool.name}
      error={remove.error}
      isSending={remove.isSending}
      act={async () => {
        const isDone = await remove.send({ params: { tournament, pool: pool.guid } })
        if (isDone) void navigate({ to: '/manage/$tournament/pools', params: { tournament } })
        return isDone
      }}
    >
      <p>{words('poolers.delete-text', { count: pool.maps.length })}</p>
    </Danger>
  )
}
