import { useNavigate } from '@tanstack/react-router'
import { useId, useMemo, useState } from 'react'
import { address } from '../../data/api.ts'
import type { Badge } from '../../data/generated.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { say } from '../../parts/announcer.tsx'
import { type FoundTournament, TournamentField } from '../../parts/finder.tsx'
import { SelectField, TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { UploadButton } from '../../parts/upload-button.tsx'
import styles from './badges.module.css'

/** Makes a badge, or changes one: those who hold it see the change at once. */

export const kinds = ['placement', 'participation', 'staff', 'award', 'special'] as const

interface Props {
  /** null for a new one. */
  readonly badge: Badge | null
  readonly done?: () => void
}

export function BadgeForm({ badge, done }: Props) {
  const id = useId()
  const navigate = useNavigate()
  const saved = useMemo(
    () => ({
      name: badge?.name ?? '',
      description: badge?.description ?? '',
      kind: badge?.kind ?? 'special',
      mediaGuid: '',
      imageUrl: badge?.imageUrl ?? '',
    }),
    [badge],
  )
  const form = useForm({ key: `badge-${badge?.guid ?? 'new'}`, saved })
  const [tournament, setTournament] = useState<FoundTournament | null>(null)
  const create = useWrite('POST /badges', (known, made) => {
    form.take()
    known.renew('/badges')
    void navigate({ to: '/admin/badges/$badge', params: { badge: made.guid }, ignoreBlocker: true })
  })
  const change = useWrite('PATCH /badges/{badge}', (known, after) => {
    form.take()
    known.put(address('/badges/{badge}', { badge: after.guid }), after)
    known.renew('/badges?')
    say(words('form.saved'))
  })
  const submit = () => {
    const { imageUrl: _shown, mediaGuid, ...values } = badge === null ? form.values : { mediaGuid: '', ...form.changed }
    const picture = mediaGuid === '' ? {} : { mediaGuid }
    if (badge !== null) return void change.send({ params: { badge: badge.guid }, body: { ...values, ...picture } })
    const { name, description, kind } = form.values
    const body = { name, description, kind, mediaGuid, ...(tournament !== null && { tournament: tournament.guid }) }
    return void create.send({ params: {}, body })
  }
  const { imageUrl, mediaGuid } = form.values
  return (
    <Form
      error={create.error ?? change.error}
      isChanged={form.isChanged}
      onSubmit={submit}
      className={styles.form ?? ''}
    >
      <div className={styles.look}>
        {imageUrl !== '' && <img src={imageUrl} alt="" className={styles.picture} width="160" height="60" />}
        <UploadButton
          label={words(imageUrl === '' ? 'manage-badges.picture' : 'manage-badges.other-picture')}
          query={{ kind: 'badge_image' }}
          then={({ guid, url }) => form.change({ mediaGuid: guid, imageUrl: url })}
        />
        <p className="small muted">{words('manage-media.takes-badge_image', { megabytes: 1 })}</p>
      </div>
      <TextField form={form} name="name" label={words('manage-badges.name')} maxLength={60} isRequired />
      <TextField
        form={form}
        name="description"
        label={words('manage-badges.description')}
        maxLength={280}
        rows={2}
        isRequired
      />
      <SelectField
        form={form}
        name="kind"
        label={words('manage-badges.kind')}
        options={kinds.map((each) => [each, words(`badges.${each}`)])}
      />
      {badge === null && (
        <div className="field">
          <label htmlFor={id}>{words('admin-badges.tournament')}</label>
          <TournamentField
            id={id}
            placeholder={words('nominate.find-tournament')}
            chosen={tournament}
            choose={setTournament}
          />
        </div>
      )}
      <div className="btns">
        <Save
          isSending={create.isSending || change.isSending}
          isDisabled={badge === null ? mediaGuid === '' : !form.isChanged}
        >
          {words(badge === null ? 'admin-badges.make' : 'form.save')}
        </Save>
        {badge === null && (
          <button type="button" className="btn" onClick={done}>
            {words('danger.cancel')}
          </button>
        )}
      </div>
    </Form>
  )
}
