import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { TournamentWithParts, UserCard } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { PersonField } from '../../parts/finder.tsx'
import { Section } from '../../parts/section.tsx'
import styles from './staff.module.css'

/** Gives the tournament to another organiser; the one who had it keeps no right in it. (W19) */
export function HandOver({ tournament: { guid, id, name } }: { readonly tournament: TournamentWithParts }) {
  const [user, setUser] = useState<UserCard | null>(null)
  const navigate = useNavigate()
  const give = useWrite('POST /tournaments/{tournament}/organiser', (known) => {
    known.renew(`/tournaments/${id}`)
    void navigate({ to: '/t/$tournament', params: { tournament: id } })
  })
  return (
    <Section title={words('hand-over.title')}>
      <p className={styles.text}>{words('hand-over.text')}</p>
      <Danger
        label={words('hand-over.do')}
        title={words('hand-over.ask', { name })}
        typed={name}
        isReady={user !== null}
        error={give.error}
        isSending={give.isSending}
        act={() => give.send({ params: { tournament: guid }, body: { userIdentifier: user?.guid ?? '' } })}
      >
        <p>{words('hand-over.warning')}</p>
        <div className="field">
          <label htmlFor="heir">{words('hand-over.who')}</label>
          <PersonField id="heir" placeholder={words('staff.who-hint')} chosen={user} choose={setUser} />
        </div>
      </Danger>
    </Section>
  )
}
