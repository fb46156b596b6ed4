//! The traits of every solver, and their type-erased counterparts for a registry.

use std::any::Any;
use std::fmt::Debug;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wavefield_numerics::observe::Observer;

use crate::assessment::Assessment;
use crate::context::Context;
use crate::cost::Cost;
use crate::error::Error;
use crate::inputs::Inputs;
use crate::outcome::Outcome;
use crate::scene::{Feature, InvalidSpec, Issue, Issues, Scene, unsupported};

/// Parallelism that a solver supports beyond threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// Whether it computes on a GPU.
    pub gpu: bool,
    /// Whether its runs consist of independent tasks, for MPI ranks and shards.
    pub tasks: bool,
    /// Whether several processes (MPI ranks) can share one run.
    pub ranks: bool,
}

/// A solver: turns a problem specification into a plan.
pub trait Solver: Send + Sync + 'static {
    /// Name of the solver in problem files.
    const NAME: &'static str;
    /// Parallelism that the solver supports.
    const CAPABILITIES: Capabilities;
    /// Scene features that the solver supports; empty for a solver without a scene.
    const FEATURES: &'static [Feature] = &[];
    /// Problem specification, as written in a problem file.
    type Spec: Clone
        + Debug
        + PartialEq
        + Serialize
        + DeserializeOwned
        + JsonSchema
        + Send
        + Sync
        + 'static;
    /// Plan of a run.
    type Plan: Plan + 'static;

    /// Returns the parts of a specification that are common to all solvers.
    fn scene<'a>(&self, _spec: &'a Self::Spec) -> Scene<'a> {
        Scene::default()
    }

    /// Adds the issues of a specification beyond its scene, as far as they can be found without reading files.
    fn check(&self, _spec: &Self::Spec, _issues: &mut Issues) {}

    /// Reads the inputs, validates the problem, and prepares the computation. Allocates nothing large.
    ///
    /// # Errors
    /// The problem cannot be solved, an input cannot be read, or planning was canceled.
    fn plan(
        &self,
        spec: &Self::Spec,
        inputs: &dyn Inputs,
        observer: &dyn Observer,
    ) -> Result<Self::Plan, Error>;
}

/// Validates a specification for its solver: supported features, scene, and settings.
///
/// # Errors
/// [`InvalidSpec`] with all issues.
pub fn validate<S: Solver>(solver: &S, spec: &S::Spec) -> Result<(), InvalidSpec> {
    let mut issues = Issues::default();
    (solver.scene(spec)).check_for_solver(S::NAME, S::FEATURES, &mut issues);
    solver.check(spec, &mut issues);
    issues.into_result()
}

/// A planned run.
pub trait Plan: Send + Sync {
    /// Predicts the cost on `threads` threads.
    fn cost(&self, threads: usize) -> Cost;

    /// Assesses mesh and frequency against the limits of the method.
    fn assess(&self) -> Vec<Assessment> {
        Vec::new()
    }

    /// Computes the outcome.
    ///
    /// # Errors
    /// The computation failed, did not converge, or was canceled.
    fn execute(&self, context: &Context<'_>) -> Result<Outcome, Error>;
}

/// A type-erased solver, for a registry.
pub trait AnySolver: Send + Sync {
    /// Returns the name of the solver in problem files.
    fn name(&self) -> &'static str;

    /// Returns the parallelism that the solver supports.
    fn capabilities(&self) -> Capabilities;

    /// Returns the scene features that the solver supports.
    fn features(&self) -> &'static [Feature];

    /// Generates the JSON Schema of the specification.
    fn schema(&self) -> Schema;

    /// Deserializes a specification.
    ///
    /// # Errors
    /// The values do not match the types of the specification.
    fn read(
        &'static self,
        values: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<AnySpec, erased_serde::Error>;
}

impl<S: Solver> AnySolver for S {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn capabilities(&self) -> Capabilities {
        S::CAPABILITIES
    }

    fn features(&self) -> &'static [Feature] {
        S::FEATURES
    }

    fn schema(&self) -> Schema {
        SchemaSettings::draft2020_12()
            .into_generator()
            .into_root_schema_for::<S::Spec>()
    }

    fn read(
        &'static self,
        values: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<AnySpec, erased_serde::Error> {
        let spec: S::Spec = erased_serde::deserialize(values)?;
        Ok(AnySpec::new(self, spec))
    }
}

/// A type-erased specification together with its solver.
pub struct AnySpec {
    solver: &'static dyn AnySolver,
    spec: Box<dyn ErasedSpec>,
}

impl AnySpec {
    /// Creates the pair of a solver and a specification for it.
    pub fn new<S: Solver>(solver: &'static S, spec: S::Spec) -> AnySpec {
        AnySpec {
            solver,
            spec: Box::new(Specified { solver, spec }),
        }
    }

    /// Returns the solver.
    pub fn solver(&self) -> &'static dyn AnySolver {
        self.solver
    }

    /// Returns the specification if it has type `T`.
    pub fn downcast<T: 'static>(&self) -> Option<&T> {
        self.spec.as_any().downcast_ref()
    }

    /// Returns the specification as a serializable value.
    pub fn values(&self) -> &dyn erased_serde::Serialize {
        self.spec.values()
    }

    /// Returns an issue for every scene feature that the solver does not support.
    pub fn unsupported(&self) -> Vec<(Feature, Issue)> {
        let solver = self.solver;
        unsupported(solver.name(), &self.spec.scene(), solver.features())
    }

    /// Returns the issues of the specification, except for unsupported features.
    pub fn issues(&self) -> Vec<Issue> {
        let mut issues = Issues::default();
        self.spec.scene().check(&mut issues);
        self.spec.check(&mut issues);
        issues.into_vec()
    }

    /// Plans the run.
    ///
    /// # Errors
    /// Those of [`Solver::plan`].
    pub fn plan(
        &self,
        inputs: &dyn Inputs,
        observer: &dyn Observer,
    ) -> Result<Box<dyn Plan>, Error> {
        self.spec.plan(inputs, observer)
    }
}

impl Clone for AnySpec {
    fn clone(&self) -> AnySpec {
        AnySpec {
            solver: self.solver,
            spec: self.spec.boxed_clone(),
        }
    }
}

impl Debug for AnySpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.spec.fmt(f)
    }
}

impl PartialEq for AnySpec {
    fn eq(&self, other: &AnySpec) -> bool {
        self.solver.name() == other.solver.name() && self.spec.equals(&*other.spec)
    }
}

trait ErasedSpec: Debug + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn values(&self) -> &dyn erased_serde::Serialize;
    fn boxed_clone(&self) -> Box<dyn ErasedSpec>;
    fn equals(&self, other: &dyn ErasedSpec) -> bool;
    fn scene(&self) -> Scene<'_>;
    fn check(&self, issues: &mut Issues);
    fn plan(&self, inputs: &dyn Inputs, observer: &dyn Observer) -> Result<Box<dyn Plan>, Error>;
}

struct Specified<S: Solver> {
    solver: &'static S,
    spec: S::Spec,
}

impl<S: Solver> Debug for Specified<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.spec.fmt(f)
    }
}

impl<S: Solver> ErasedSpec for Specified<S> {
    fn as_any(&self) -> &dyn Any {
        &self.spec
    }

    fn values(&self) -> &dyn erased_serde::Serialize {
        &self.spec
    }

    fn boxed_clone(&self) -> Box<dyn ErasedSpec> {
        Box::new(Specified {
            solver: self.solver,
            spec: self.spec.clone(),
        })
    }

    fn equals(&self, other: &dyn ErasedSpec) -> bool {
        other.as_any().downcast_ref() == Some(&self.spec)
    }

    fn scene(&self) -> Scene<'_> {
        self.solver.scene(&self.spec)
    }

    fn check(&self, issues: &mut Issues) {
        self.solver.check(&self.spec, issues);
    }

    fn plan(&self, inputs: &dyn Inputs, observer: &dyn Observer) -> Result<Box<dyn Plan>, Error> {
        let plan = self.solver.plan(&self.spec, inputs, observer)?;
        Ok(Box::new(plan))
    }
}
