import { useState } from 'react'
import type { Pool } from '../../../../client/generated.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { SelectField, TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Failure } from '../../parts/loaded.tsx'
import { Secret } from '../../parts/secret.tsx'
import { Section } from '../../parts/section.tsx'
import { poolsAddress } from '../map-reads.ts'
import { allRoles, type Role } from '../rights.ts'
import styles from './pools.module.css'
import { poolAddress, useFlairs } from './reads.ts'

/** What heads set of a pool: its name and texts, how many maps each category is to have, and its early readers. */

const others = allRoles.filter((role) => role !== 'role:hpooler' && role !== 'role:pooler')

export function PoolSettings({ pool }: { readonly pool: Pool }) {
  const tournament = useTournamentId()
  const flairs = useFlairs()
  const { name, description, kind, playlist, slots = [], previewRoles = [], status } = pool
  const form = useForm({
    key: `pool-${pool.guid}`,
    saved: {
      name,
      description: description ?? '',
      kind,
      title: playlist.title,
      author: playlist.author,
      about: playlist.description,
      slots: Object.fromEntries(slots.map(({ flairGuid, count }) => [flairGuid, count])) as Record<string, number>,
      previewRoles: previewRoles as readonly Role[],
    },
  })
  const save = useWrite('PATCH /tournaments/{tournament}/pools/{pool}', (known, reply) => {
    form.take()
    known.put(poolAddress(tournament, pool.guid), reply)
    known.renew(poolsAddress(tournament))
  })
  if (status === 'archived') return null
  const { values, changed } = form
  const submit = () =>
    save.send({
      params: { tournament, pool: pool.guid },
      body: {
        ...(changed.name !== undefined && { name: changed.name }),
        ...(changed.description !== undefined && { description: changed.description || null }),
        ...(changed.kind !== undefined && { kind: changed.kind }),
        ...((changed.title ?? changed.author ?? changed.about) !== undefined && {
          playlist: { title: values.title || null, author: values.author || null, description: values.about || null },
        }),
        ...(changed.slots !== undefined && {
          slots: Object.entries(values.slots).flatMap(([flairGuid, count]) =>
            count > 0 ? [{ flairGuid, count }] : [],
          ),
        }),
        ...(changed.previewRoles !== undefined && { previewRoles: values.previewRoles }),
      },
    })
  const isDraft = status === 'draft'
  return (
    <Section title={words('poolers.pool-settings')}>
      <Form className={styles.settings} error={save.error} isChanged={form.isChanged} onSubmit={submit}>
        <div className={styles.fields}>
          <TextField form={form} name="name" label={words('poolers.name')} isRequired maxLength={100} />
          {isDraft && (
            <SelectField
              form={form}
              name="kind"
              label={words('poolers.kind')}
              options={(['match', 'qualifier'] as const).map((each) => [each, words(`pool.${each}`)] as const)}
            />
          )}
          <TextField form={form} name="title" label={words('poolers.playlist-title')} maxLength={200} />
          <TextField form={form} name="author" label={words('poolers.playlist-author')} maxLength={100} />
        </div>
        <TextField
          form={form}
          name="description"
          label={words('poolers.description')}
          hint={words('form.markdown')}
          rows={3}
          maxLength={2_000}
        />
        {isDraft && flairs.length > 0 && (
          <fieldset>
            <legend className="strong">{words('poolers.slots')}</legend>
            <p className="small muted">{words('poolers.slots-hint')}</p>
            <div className={styles.slots}>
              {flairs.map(({ guid, name: flair }) => (
                <label key={guid} className="field">
                  <bdi>{flair}</bdi>
                  <input
                    className="in num"
                    type="number"
                    min={0}
                    max={50}
                    value={values.slots[guid] ?? 0}
                    onChange={({ target }) => form.set('slots', { ...values.slots, [guid]: Number(target.value) })}
                  />
                </label>
              ))}
            </div>
          </fieldset>
        )}
        {isDraft && (
          <fieldset>
            <legend className="strong">{words('poolers.early')}</legend>
            <p className="small muted">{words('poolers.early-hint')}</p>
            <div className={styles.modifiers}>
              {others.map((role) => (
                <label key={role} className="choice">
                  <input
                    type="checkbox"
                    checked={values.previewRoles.includes(role)}
                    onChange={({ target }) =>
                      form.set(
                        'previewRoles',
                        target.checked
                          ? [...values.previewRoles, role]
                          : values.previewRoles.filter((each) => each !== role),
                      )
                    }
                  />
                  {words(`role.${role.replace('role:', '')}` as 'role.admin')}
                </label>
              ))}
            </div>
          </fieldset>
        )}
        <Save isSending={save.isSending} isSaved={save.isDone && !form.isChanged} isDisabled={!form.isChanged}>
          {words('form.save')}
        </Save>
      </Form>
      {isDraft && <PreviewKey pool={pool} />}
    </Section>
  )
}

/** The playlist of the draft, for those who try its maps in the game. */
function PreviewKey({ pool }: { readonly pool: Pool }) {
  const tournament = useTournamentId()
  const [url, setUrl] = useState<string | null>(null)
  const params = { tournament, pool: pool.guid }
  const make = useWrite('PUT /tournaments/{tournament}/pools/{pool}/preview-key', (known, reply) => {
    setUrl(reply.url)
    known.renew(poolAddress(tournament, pool.guid))
  })
  const end = useWrite('DELETE /tournaments/{tournament}/pools/{pool}/preview-key', (known) => {
    setUrl(null)
    known.renew(poolAddress(tournament, pool.guid))
  })
  const error = make.error ?? end.error
  return (
    <div className={styles.preview}>
      <h3>{words('poolers.try')}</h3>
      <p className="muted">{words('poolers.try-text')}</p>
      {url !== null && (
        <p>
          <Secret name={words('poolers.try-address')} text={url} />
        </p>
      )}
      {error !== null && <Failure error={error} again={() => void make.send({ params })} isTrying={make.isSending} />}
      <div className="btns">
        <button type="button" className="btn" aria-disabled={make.isSending} onClick={() => void make.send({ params })}>
          {words(pool.hasPreviewKey === true ? 'poolers.try-again' : 'poolers.try-make')}
        </button>
        {pool.hasPreviewKey === true && (
          <button type="button" className="btn" aria-disabled={end.isSending} onClick={() => void end.send({ params })}>
            {words('poolers.try-end')}
          </button>
        )}
      </div>
    </div>
  )
}
