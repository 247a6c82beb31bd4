import { useMemo } from 'react'
import type { Team } from '../../../../client/generated.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { TextField } from '../../parts/form/fields.tsx'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Section } from '../../parts/section.tsx'
import { useChanged } from '../../team/changed.ts'
import styles from '../../team/team.module.css'

/** The captain's team: what it is called, and how that is spoken. */
export function Naming({ team }: { readonly team: Team }) {
  const params = { tournament: useTournamentId(), team: team.guid }
  const { name, pronunciation } = team
  const saved = useMemo(() => ({ name, pronunciation: pronunciation ?? '' }), [name, pronunciation])
  const form = useForm({ key: `team-name-${team.guid}`, saved })
  const changed = useChanged(team)
  const save = useWrite('PATCH /tournaments/{tournament}/teams/{team}', (known, reply) => {
    changed(known, reply)
    form.take()
  })
  return (
    <Section title={words('own-team.called')}>
      <Form
        className={styles.naming}
        error={save.error}
        isChanged={form.isChanged}
        onSubmit={() => save.send({ params, body: form.changed })}
      >
        <TextField form={form} name="name" label={words('own-team.name')} maxLength={64} isRequired />
        <TextField
          form={form}
          name="pronunciation"
          label={words('spoken.field')}
          hint={words('spoken.hint')}
          maxLength={80}
        />
        <Save isSending={save.isSending} isSaved={save.isDone && !form.isChanged} isDisabled={!form.isChanged}>
          {words('form.save')}
        </Save>
      </Form>
    </Section>
  )
}
