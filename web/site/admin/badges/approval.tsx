import { useState } from 'react'
import type { BadgeRequest } from '../../data/generated.ts'
import { words } from '../../data/words.ts'
import type { Writing } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { bodyOf, type Choice, choicesOf, countOf, isChanged } from './choices.ts'
import { ChosenBadge } from './chosen-badge.tsx'

/** Approves a request, as it was sent or as it is changed here: which badges are made, their words, and who gets them. */

interface Props {
  readonly request: BadgeRequest
  readonly review: Writing<'POST /admin/badgeRequests/{badgeRequest}/review'>
}

export function Approval({ request, review }: Props) {
  const { guid, tournament, badges, updatedAt } = request
  const [choices, choose] = useState(() => choicesOf(badges))
  const { made, people } = countOf(choices)
  const isNamed = choices.every(({ name, chosen }) => chosen.size === 0 || name.trim() !== '')
  const act = () => {
    const edited = isChanged(choices, badges) ? { badges: bodyOf(choices) } : {}
    const body = { decision: 'approved', expectedUpdatedAt: updatedAt, ...edited } as const
    return review.send({ params: { badgeRequest: guid }, body })
  }
  const set = (at: number, choice: Choice) => choose(choices.with(at, choice))
  return (
    <Danger
      label={words('admin-badges.approve')}
      of={tournament.name}
      title={words('admin-badges.approve-title', { name: tournament.name })}
      isPlain
      isReady={people > 0 && isNamed}
      error={review.error}
      isSending={review.isSending}
      act={act}
    >
      <ul className="lines">
        {choices.map((choice, at) => (
          <li key={choice.key}>
            <ChosenBadge of={choice} set={(next) => set(at, next)} />
          </li>
        ))}
      </ul>
      <p role="status">
        {people === 0 && words('admin-badges.approve-none')}
        {people > 0 &&
          words(isNamed ? 'admin-badges.approve-what' : 'admin-badges.approve-nameless', { count: made, people })}
      </p>
      <p className="muted">{words('admin-badges.approve-undo')}</p>
    </Danger>
  )
}
