"""API resources for the umpire's lists, from the projection of the head branch, with pages and
filters.
"""

from __future__ import annotations

from typing import Any

import django_filters
from django.db.models import QuerySet
from django.http import HttpResponse
from django_filters.rest_framework import DjangoFilterBackend
from rest_framework.filters import OrderingFilter
from rest_framework.generics import ListAPIView
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.serializers import ModelSerializer

from campaign.api.resource import Resource
from campaign.api.schema import documented
from campaign.models.campaign import Branch
from campaign.models.truth import FacilityState, Fleet, Repair, Ship
from campaign.selectors.truth import CONDITIONS, fleets_of, repairs_of, ships_of, systems_of
from engine.core.errors import RuleViolations, Violation
from umpire.api.truth import branch_of

TAG = "umpire"


class Pages(PageNumberPagination):
    """Pages of 50 rows, at most 200."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200

    def get_page_size(self, request: Request) -> int:
        """Return the requested size. Raises RuleViolations."""
        size = request.query_params.get("page_size")
        if size is None:
            return self.page_size
        if (
            size.isascii()
            and size.isdigit()
            and len(size) < 4
            and 1 <= int(size) <= self.max_page_size
        ):
            return int(size)
        words = f"must be a whole number from 1 to {self.max_page_size}"
        raise RuleViolations([Violation("page_size", "not-a-number", words)])

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Return the parameters `page` and `page_size` with their bounds."""
        parameters: list[dict[str, Any]] = super().get_schema_operation_parameters(view)
        bounds = {
            "page": {"minimum": 1},
            "page_size": {"minimum": 1, "maximum": self.max_page_size},
        }
        result: list[dict[str, Any]] = []
        for parameter in parameters:
            result.append({**parameter, "schema": parameter["schema"] | bounds[parameter["name"]]})
        return result


class FleetRow(ModelSerializer[Fleet]):
    """A fleet's true state: place, ships and decoys."""

    class Meta:
        model = Fleet
        fields = ("key", "faction", "name", "hex", "in_ftl", "must_leave", "decoys", "ships")


class ShipRow(ModelSerializer[Ship]):
    """A ship's true state: class, fleet, damage, losses and stock."""

    class Meta:
        model = Ship
        fields = (
            "key",
            "faction",
            "name",
            "cls",
            "fleet",
            "hex",
            "damage",
            "lost",
            "docked",
            "stock",
            "tug",
            "laid_up",
            "cargo",
            "settings",
        )


class SystemRow(ModelSerializer[FacilityState]):
    """A system: its holder, since when, and its facility."""

    class Meta:
        model = FacilityState
        fields = ("key", "holder", "since", "state", "superior", "facility")


class RepairRow(ModelSerializer[Repair]):
    """A docked ship and its remaining damage."""

    class Meta:
        model = Repair
        fields = ("key", "faction", "hex", "damage", "systems")


class ProjectionFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Common filters of the projection's lists."""

    search = django_filters.CharFilter(
        method="searched", label="A text in name, key, hex or class."
    )
    condition = django_filters.ChoiceFilter(
        choices=[*CONDITIONS.items()], method="in_condition", label="Only those in this condition."
    )

    def searched(self, rows: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        """Keep the rows that contain a text."""
        return rows.filter(pk__in=self.of(text=value).values("pk"))

    def in_condition(self, rows: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        """Keep the rows in a condition of `CONDITIONS`."""
        return rows.filter(pk__in=self.of(condition=value).values("pk"))

    def of(self, **filters: str) -> QuerySet[Any]:
        """Return the rows that match a `text` or a `condition`, from the list's own selector."""
        raise NotImplementedError

    @property
    def branch(self) -> Branch:
        """Return the branch of the view, whose rows are listed."""
        branch: Branch = self.request.parser_context["view"].branch
        return branch


class FleetFilter(ProjectionFilter):
    """Filters the list of fleets, also by the columns in Meta."""

    class Meta:
        model = Fleet
        fields = ("faction", "hex", "in_ftl", "must_leave")

    def of(self, **filters: str) -> QuerySet[Any]:
        """Return the fleets with a `text` in name, key or hex, or in a `condition`."""
        return fleets_of(branch=self.branch, **filters)


class ShipFilter(ProjectionFilter):
    """Filters the list of ships, also by the columns in Meta."""

    class Meta:
        model = Ship
        fields = ("faction", "hex", "fleet", "cls", "docked", "laid_up")

    def of(self, **filters: str) -> QuerySet[Any]:
        """Return the ships that match a `text` or a `condition`."""
        return ships_of(branch=self.branch, **filters)


class SystemFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Filters the list of systems by its columns."""

    class Meta:
        model = FacilityState
        fields = ("holder", "state", "superior", "facility")


class RepairFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Filters the list of repairs by its columns."""

    class Meta:
        model = Repair
        fields = ("faction", "hex")


class _ProjectionList(Resource, ListAPIView[Any]):
    """A list of the projection, only for the umpire."""

    pagination_class = Pages
    filter_backends = (DjangoFilterBackend, OrderingFilter)
    ordering_fields: tuple[str, ...] = ("key",)
    branch: Branch

    def answer_page(self, request: Request, campaign: str) -> HttpResponse:
        self.branch = branch_of(self.viewer(campaign, umpire=True))
        return self.list(request)


class UmpireFleetListResource(_ProjectionList):
    """All fleets."""

    queryset = Fleet.objects.none()
    serializer_class = FleetRow
    filterset_class = FleetFilter
    ordering_fields = ("key", "faction", "name", "hex", "ships")

    def get_queryset(self) -> QuerySet[Fleet]:
        """Return the fleets of the branch, by key."""
        return fleets_of(branch=self.branch)

    @documented("umpire_fleets", "All fleets", {200: FleetRow}, problems=(404, 422), tag=TAG)
    def get(self, request: Request, campaign: str) -> HttpResponse:  # type: ignore[override]
        """Return a page of the fleets of all factions, including decoys."""
        return self.answer_page(request, campaign)


class UmpireShipListResource(_ProjectionList):
    """All ships."""

    queryset = Ship.objects.none()
    serializer_class = ShipRow
    filterset_class = ShipFilter
    ordering_fields = ("key", "faction", "name", "cls", "fleet", "hex", "damage")

    def get_queryset(self) -> QuerySet[Ship]:
        """Return the ships of the branch, by key."""
        return ships_of(branch=self.branch)

    @documented("umpire_ships", "All ships", {200: ShipRow}, problems=(404, 422), tag=TAG)
    def get(self, request: Request, campaign: str) -> HttpResponse:  # type: ignore[override]
        """Return a page of the ships of all factions."""
        return self.answer_page(request, campaign)


class UmpireSystemListResource(_ProjectionList):
    """The systems and their holders."""

    queryset = FacilityState.objects.none()
    serializer_class = SystemRow
    filterset_class = SystemFilter
    ordering_fields = ("key", "holder", "since", "state")

    def get_queryset(self) -> QuerySet[FacilityState]:
        """Return the systems of the branch, by key."""
        return systems_of(branch=self.branch)

    @documented(
        "umpire_systems",
        "All systems and their holders",
        {200: SystemRow},
        problems=(404, 422),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:  # type: ignore[override]
        """Return a page of the systems with their holders."""
        return self.answer_page(request, campaign)


class UmpireRepairListResource(_ProjectionList):
    """Ships under repair."""

    queryset = Repair.objects.none()
    serializer_class = RepairRow
    filterset_class = RepairFilter
    ordering_fields = ("key", "faction", "hex", "damage")

    def get_queryset(self) -> QuerySet[Repair]:
        """Return the repairs of the branch, by key."""
        return repairs_of(branch=self.branch)

    @documented(
        "umpire_repairs",
        "Docked ships with damage to repair",
        {200: RepairRow},
        problems=(404, 422),
        tag=TAG,
    )
    def get(self, request: Request, campaign: str) -> HttpResponse:  # type: ignore[override]
        """Return a page of the damaged ships in dock, with their remaining damage."""
        return self.answer_page(request, campaign)
