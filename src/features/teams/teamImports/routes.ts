import { command } from '../../../core/operation.ts'
import { organisers } from '../../tournaments/access/policy.ts'
import { ImportBody } from './bodies.ts'
import { importTeams } from './commands.ts'
import { readSheet } from './queries.ts'
import { TeamImportView, teamImportView } from './views.ts'

const importSheet = command({
  name: 'teams.import',
  method: 'POST',
  path: '/tournaments/:tournament/teams/import',
  scope: 'rest:write',
  allow: organisers,
  summary: 'Enter the teams of a sheet of sign-ups, also of people who have never signed in.',
  description:
    'The sheet is the part `file` of a form (CSV in UTF-8 of at most 2 MiB, separated by commas, semicolons or tabs, with a first line that names the columns in any order) or `rows` of JSON: at most 1,024. Columns: `teamName`, `captain`, `members` (several in one cell are parted by `|`, or stand in columns of their own), and where there are any `externalId`, `teamId`, `seed`, `register`, `waiver`; further ones are answers to the field of that label. Known people (by ID on the chat platform, or a verified one on a ranking platform) are invited; until an invited captain accepts, a placeholder of that name has their place. In a draft a known captain is set at once. Everybody else becomes a placeholder. A row is the team with its `externalId`, else with its name: the same sheet again changes nothing, and captains of existing teams stay. Rows that cannot be used are `rejected` with the reason, and do not keep the others from being used. A team that cannot be registered is entered nevertheless, with a note.',
  body: ImportBody,
  budget: 'upload',
  bodyType: 'multipart',
  reply: { 200: TeamImportView },
  problems: {
    'team_import.source_invalid': 400,
    'team_import.unreadable': 400,
    'team_import.too_large': 400,
    'team_import.people_changed': 409,
    'team.entries_closed': 409,
  },
  run: async ({ tx, actor, tournament, body, request, services: { config }, now }) => {
    const { rows, dryRun = false } = body
    const sheet = readSheet(rows, request.file, tournament)
    const avatarUrl = `${config.chat.cdnUrl}/embed/avatars/0.png`
    const result = await importTeams(tx, actor, tournament.guid, sheet, { dryRun, avatarUrl, now })
    return teamImportView(result, dryRun)
  },
})

export const teamImportsOperations = [importSheet]
