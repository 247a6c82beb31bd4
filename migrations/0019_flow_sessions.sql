CREATE TABLE "flow_map_results" (
	"session_guid" uuid NOT NULL,
	"pool_map_guid" uuid NOT NULL,
	"map_guid" uuid NOT NULL,
	"picked" integer NOT NULL,
	"banned" integer NOT NULL,
	"protected" integer NOT NULL,
	"tiebreaker" integer NOT NULL,
	"played" integer NOT NULL,
	"won_by_picker" integer NOT NULL,
	"replays" integer NOT NULL,
	"scores" integer NOT NULL,
	"accuracy_sum" double precision NOT NULL,
	"accuracies" integer NOT NULL,
	CONSTRAINT "flow_map_results_session_guid_pool_map_guid_pk" PRIMARY KEY("session_guid","pool_map_guid")
);
--> statement-breakpoint
CREATE TABLE "flow_rows" (
	"session_guid" uuid NOT NULL,
	"position" integer NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"kind" text NOT NULL,
	"step" text,
	"seat" integer,
	"by_guid" uuid,
	"on_behalf" boolean NOT NULL,
	"map_guid" uuid,
	"data" jsonb NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"undone_by" integer,
	CONSTRAINT "flow_rows_session_guid_position_pk" PRIMARY KEY("session_guid","position"),
	CONSTRAINT "flow_rows_position" CHECK ("flow_rows"."position" > 0)
);
--> statement-breakpoint
CREATE TABLE "flow_sessions" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"match_guid" uuid,
	"is_current" boolean DEFAULT true NOT NULL,
	"is_public" boolean NOT NULL,
	"status" text NOT NULL,
	"position" integer NOT NULL,
	"shown_position" integer NOT NULL,
	"shown_status" text,
	"seed" "bytea" NOT NULL,
	"team_guids" uuid[] DEFAULT '{}' NOT NULL,
	"speakers" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"flow_guid" uuid,
	"flow_name" text NOT NULL,
	"pool_guid" uuid,
	"pool_name" text,
	"view_delay_seconds" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone,
	"lapses_at" timestamp (3) with time zone,
	"clock_number" integer,
	"is_overdue" boolean DEFAULT false NOT NULL,
	"shows_at" timestamp (3) with time zone,
	"begun_by_guid" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	CONSTRAINT "flow_sessions_status_known" CHECK ("flow_sessions"."status" in ('running', 'paused', 'over', 'void')),
	CONSTRAINT "flow_sessions_shown_known" CHECK ("flow_sessions"."shown_status" in ('running', 'paused', 'over', 'void')),
	CONSTRAINT "flow_sessions_shown" CHECK ("flow_sessions"."shown_position" between 0 and "flow_sessions"."position"),
	CONSTRAINT "flow_sessions_shown_first" CHECK (("flow_sessions"."shown_position" = 0) = ("flow_sessions"."shown_status" is null)),
	CONSTRAINT "flow_sessions_seed" CHECK (length("flow_sessions"."seed") = 32),
	CONSTRAINT "flow_sessions_view_delay" CHECK ("flow_sessions"."view_delay_seconds" between 0 and 900)
);
--> statement-breakpoint
ALTER TABLE "flow_map_results" ADD CONSTRAINT "flow_map_results_session_guid_flow_sessions_guid_fk" FOREIGN KEY ("session_guid") REFERENCES "public"."flow_sessions"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_map_results" ADD CONSTRAINT "flow_map_results_map_guid_maps_guid_fk" FOREIGN KEY ("map_guid") REFERENCES "public"."maps"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_rows" ADD CONSTRAINT "flow_rows_session_guid_flow_sessions_guid_fk" FOREIGN KEY ("session_guid") REFERENCES "public"."flow_sessions"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_rows" ADD CONSTRAINT "flow_rows_by_guid_users_guid_fk" FOREIGN KEY ("by_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_sessions" ADD CONSTRAINT "flow_sessions_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_sessions" ADD CONSTRAINT "flow_sessions_match_guid_matches_guid_fk" FOREIGN KEY ("match_guid") REFERENCES "public"."matches"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_sessions" ADD CONSTRAINT "flow_sessions_flow_guid_flows_guid_fk" FOREIGN KEY ("flow_guid") REFERENCES "public"."flows"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_sessions" ADD CONSTRAINT "flow_sessions_begun_by_guid_users_guid_fk" FOREIGN KEY ("begun_by_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "flow_map_results_of_map" ON "flow_map_results" USING btree ("map_guid");--> statement-breakpoint
CREATE INDEX "flow_map_results_of_pool_map" ON "flow_map_results" USING btree ("pool_map_guid");--> statement-breakpoint
CREATE INDEX "flow_rows_by" ON "flow_rows" USING btree ("by_guid","at") WHERE "flow_rows"."by_guid" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "flow_sessions_current" ON "flow_sessions" USING btree ("match_guid") WHERE "flow_sessions"."is_current";--> statement-breakpoint
CREATE INDEX "flow_sessions_of_match" ON "flow_sessions" USING btree ("match_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "flow_sessions_listed" ON "flow_sessions" USING btree ("tournament_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "flow_sessions_of_flow" ON "flow_sessions" USING btree ("flow_guid");--> statement-breakpoint
CREATE INDEX "flow_sessions_begun_by" ON "flow_sessions" USING btree ("begun_by_guid","created_at");--> statement-breakpoint
CREATE INDEX "flow_sessions_due" ON "flow_sessions" USING btree ("due_at") WHERE "flow_sessions"."due_at" is not null and not "flow_sessions"."is_overdue";--> statement-breakpoint
CREATE INDEX "flow_sessions_lapses" ON "flow_sessions" USING btree ("lapses_at") WHERE "flow_sessions"."lapses_at" is not null;--> statement-breakpoint
CREATE INDEX "flow_sessions_shows" ON "flow_sessions" USING btree ("shows_at") WHERE "flow_sessions"."shows_at" is not null;--> statement-breakpoint
CREATE INDEX "flow_sessions_expires" ON "flow_sessions" USING btree ("expires_at") WHERE "flow_sessions"."expires_at" is not null;--> statement-breakpoint
select
  keep_earlier('flow_sessions', 'r.guid::text', 'r.tournament_guid'),
  keep_earlier('flow_rows', 'r.session_guid::text || '':'' || r.position', 'r.tournament_guid');
