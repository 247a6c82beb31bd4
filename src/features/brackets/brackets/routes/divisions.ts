import { Type } from 'typebox'
import { Answer, command } from '../../../../core/operation.ts'
import { nullable } from '../../../../core/schema.ts'
import { organisers } from '../../../tournaments/access/policy.ts'
import { createDivision, deleteDivision, updateDivision } from '../commands/divisions.ts'
import { maxNameCharacters, maxOrder } from '../rules/divisions.ts'
import { DivisionView, divisionView } from '../views/division.ts'

const Name = Type.String({ minLength: 1, maxLength: maxNameCharacters, examples: ['Division A'] })
const Id = Type.String({ minLength: 1, maxLength: 32, description: 'Short id.', examples: ['a'] })
const Order = Type.Integer({ minimum: 1, maximum: maxOrder, description: 'Divisions are listed by it.' })

const create = command({
  name: 'divisions.create',
  method: 'POST',
  path: '/tournaments/:tournament/divisions',
  scope: 'rest:write',
  allow: organisers,
  inRehearsals: true,
  summary: 'Make a division, a part of the tournament with brackets and match numbers of its own.',
  description:
    'An id that is not given is made of the name or, where another division has it, is the next free letter.',
  body: Type.Object({ name: Name, id: Type.Optional(Id), order: Type.Optional(Order) }),
  reply: { 201: DivisionView },
  problems: { 'division.invalid': 400, 'division.id_taken': 409, 'division.too_many': 409, 'tournament.over': 409 },
  run: async ({ tx, actor, tournament, body }) => divisionView(await createDivision(tx, actor, tournament.guid, body)),
})

const update = command({
  name: 'divisions.update',
  method: 'PATCH',
  path: '/tournaments/:tournament/divisions/:division',
  scope: 'rest:write',
  allow: organisers,
  inRehearsals: true,
  summary: 'Change a division’s name, id or place in the list.',
  description:
    'Brackets and matches in it keep their GUIDs; addresses that name the division by its id change with it.',
  body: Type.Object({ name: Type.Optional(Name), id: Type.Optional(Id), order: Type.Optional(Order) }),
  reply: { 200: DivisionView },
  problems: {
    'division.nothing_to_change': 400,
    'division.invalid': 400,
    'division.id_taken': 409,
    'tournament.over': 409,
  },
  run: async ({ tx, actor, division, body, now }) => divisionView(await updateDivision(tx, actor, division, body, now)),
})

const remove = command({
  name: 'divisions.delete',
  method: 'DELETE',
  path: '/tournaments/:tournament/divisions/:division',
  scope: 'rest:write',
  allow: organisers,
  inRehearsals: true,
  summary: 'Delete a division with its brackets, none of which was played.',
  description: 'One in which something was played stays: delete its brackets first, each with `force`.',
  reply: { 204: nullable(Type.String()) },
  problems: { 'division.played': 409, 'tournament.over': 409 },
  run: async ({ tx, actor, division }) => {
    await deleteDivision(tx, actor, division)
    return new Answer(204)
  },
})

export const divisionsOperations = [create, update, remove]
