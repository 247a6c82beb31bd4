CREATE TABLE "flow_plans" (
	"tournament_guid" uuid PRIMARY KEY NOT NULL,
	"revision" integer NOT NULL,
	"default_flow_guid" uuid,
	"default_preset" text,
	CONSTRAINT "flow_plans_one_default" CHECK (num_nonnulls("flow_plans"."default_flow_guid", "flow_plans"."default_preset") <= 1)
);
--> statement-breakpoint
CREATE TABLE "flows" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"name" text NOT NULL,
	"based_on" text,
	"seats" integer NOT NULL,
	"best_of" integer,
	"definition" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "flows_seats" CHECK ("flows"."seats" between 2 and 16),
	CONSTRAINT "flows_best_of" CHECK ("flows"."best_of" between 1 and 99 and "flows"."best_of" % 2 = 1)
);
--> statement-breakpoint
CREATE TABLE "planned_flows" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"match_guid" uuid,
	"bracket_guid" uuid,
	"round" text,
	"flow_guid" uuid,
	"preset" text,
	CONSTRAINT "planned_flows_target" CHECK (num_nonnulls("planned_flows"."match_guid", "planned_flows"."bracket_guid") = 1),
	CONSTRAINT "planned_flows_of_round" CHECK ("planned_flows"."round" is null or "planned_flows"."bracket_guid" is not null),
	CONSTRAINT "planned_flows_one" CHECK (num_nonnulls("planned_flows"."flow_guid", "planned_flows"."preset") = 1)
);
--> statement-breakpoint
ALTER TABLE "flow_plans" ADD CONSTRAINT "flow_plans_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flow_plans" ADD CONSTRAINT "flow_plans_default_flow_guid_flows_guid_fk" FOREIGN KEY ("default_flow_guid") REFERENCES "public"."flows"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flows" ADD CONSTRAINT "flows_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "planned_flows" ADD CONSTRAINT "planned_flows_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "planned_flows" ADD CONSTRAINT "planned_flows_match_guid_matches_guid_fk" FOREIGN KEY ("match_guid") REFERENCES "public"."matches"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "planned_flows" ADD CONSTRAINT "planned_flows_bracket_guid_brackets_guid_fk" FOREIGN KEY ("bracket_guid") REFERENCES "public"."brackets"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "planned_flows" ADD CONSTRAINT "planned_flows_flow_guid_flows_guid_fk" FOREIGN KEY ("flow_guid") REFERENCES "public"."flows"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "flow_plans_default" ON "flow_plans" USING btree ("default_flow_guid");--> statement-breakpoint
CREATE INDEX "flows_listed" ON "flows" USING btree ("tournament_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "planned_flows_tournament" ON "planned_flows" USING btree ("tournament_guid");--> statement-breakpoint
CREATE INDEX "planned_flows_flow" ON "planned_flows" USING btree ("flow_guid");--> statement-breakpoint
CREATE UNIQUE INDEX "planned_flows_match" ON "planned_flows" USING btree ("match_guid");--> statement-breakpoint
CREATE UNIQUE INDEX "planned_flows_round" ON "planned_flows" USING btree ("bracket_guid",coalesce("round", ''));