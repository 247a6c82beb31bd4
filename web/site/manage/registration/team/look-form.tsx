import { useMemo } from 'react'
import type { Team, TournamentWithParts } from '../../../../../client/generated.ts'
import { useTournamentId } from '../../../data/tournament.ts'
import { words } from '../../../data/words.ts'
import { useWrite } from '../../../data/writes.ts'
import { TextField } from '../../../parts/form/fields.tsx'
import { Field, Form, Save } from '../../../parts/form/form.tsx'
import { useForm } from '../../../parts/form/use-form.ts'
import { Section } from '../../../parts/section.tsx'
import { Face } from '../../../parts/team.tsx'
import { UploadButton } from '../../../parts/upload-button.tsx'
import { useChanged } from '../../../team/changed.ts'
import styles from './team.module.css'

/** The name, the address, the colour and the picture of a team. */
export function LookForm({ team, tournament }: { readonly team: Team; readonly tournament: TournamentWithParts }) {
  const params = { tournament: useTournamentId(), team: team.guid }
  const { name, id, pronunciation, color, imageUrl } = team
  const saved = useMemo(
    () => ({ name, id, pronunciation: pronunciation ?? '', color: color ?? '', imageUrl: imageUrl ?? '' }),
    [name, id, pronunciation, color, imageUrl],
  )
  const form = useForm({ key: `team-look-${team.guid}`, saved })
  const changed = useChanged(team)
  const save = useWrite('PATCH /tournaments/{tournament}/teams/{team}', (known, reply) => {
    changed(known, reply)
    form.take()
  })
  return (
    <Section title={words('manage-team.look')}>
      <Form
        className={styles.look}
        error={save.error}
        isChanged={form.isChanged}
        onSubmit={() => save.send({ params, body: form.changed })}
      >
        <TextField form={form} name="name" label={words('own-team.name')} maxLength={64} isRequired />
        <TextField
          form={form}
          name="id"
          label={words('manage-team.id')}
          hint={words('manage-team.id-hint')}
          maxLength={32}
          isRequired
        />
        <TextField
          form={form}
          name="pronunciation"
          label={words('spoken.field')}
          hint={words('spoken.hint')}
          maxLength={80}
        />
        <Field name="color" label={words('manage-team.color')} hint={words('manage-team.color-hint')}>
          {(of) => (
            <span className={styles.color}>
              <input
                {...of}
                type="color"
                value={form.values.color === '' ? '#808080' : form.values.color}
                onChange={({ target }) => form.set('color', target.value)}
              />
              <span className="code">
                {form.values.color === '' ? words('manage-team.no-color') : form.values.color}
              </span>
              {form.values.color !== '' && (
                <button type="button" className="btn btn-quiet" onClick={() => form.set('color', '')}>
                  {words('manage-team.drop-color')}
                </button>
              )}
            </span>
          )}
        </Field>
        <div className={styles.picture}>
          <Face
            name={form.values.name}
            picture={form.values.imageUrl === '' ? null : form.values.imageUrl}
            isTeam
            width={128}
          />
          <TextField
            form={form}
            name="imageUrl"
            label={words('manage-team.picture')}
            hint={words('manage-team.picture-hint')}
          />
          <UploadButton
            label={words('avatar.upload')}
            query={{ kind: 'team_image', tournament: tournament.id, team: team.guid }}
            then={({ url }) => form.set('imageUrl', url)}
          />
        </div>
        <Save isSending={save.isSending} isSaved={save.isDone && !form.isChanged} isDisabled={!form.isChanged}>
          {words('form.save')}
        </Save>
      </Form>
    </Section>
  )
}
